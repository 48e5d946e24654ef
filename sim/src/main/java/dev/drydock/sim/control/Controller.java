package dev.drydock.sim.control;

import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;

/**
 * Reacts to changes. It is notified of every change and adds to its {@link WorkQueue} what it must
 * process; it processes the queue after all controllers were notified, so that it sees the current
 * state.
 */
public interface Controller {
  void changed(ObjectChange event);

  /** Processes the queued items. */
  default void look(ObjectKey key) {}
}
