package dev.drydock.edge.record;

import dev.drydock.edge.decide.RequestAsker;
import dev.drydock.edge.decide.RequestDecider.Presence;
import java.time.Duration;

/** What a machine knows about the processes that ask for operations. */
public interface ProcessView {
  Presence presence(RequestAsker asker);

  /** Since the boot, including the time in which the machine was suspended. */
  Duration uptime();
}
