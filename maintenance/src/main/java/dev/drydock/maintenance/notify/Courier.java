package dev.drydock.maintenance.notify;

import dev.drydock.maintenance.notify.Channel.Outcome;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries the notices of one node to one channel, in order, until none is left. */
final class Courier implements Runnable {
  private static final Logger LOG = LoggerFactory.getLogger(Courier.class);

  private final Lane lane;
  private final Gate gate;
  private final Postroom room;
  private int failures;

  Courier(Lane lane, Gate gate, Postroom room) {
    this.lane = lane;
    this.gate = gate;
    this.room = room;
  }

  @Override
  public void run() {
    try {
      Optional<Entry> next = lane.nextOrEnd(gate.name());
      while (next.isPresent()) {
        if (!carry(next.get())) {
          Duration backoff = room.settings().backoff().after(Math.max(1, failures));
          lane.rest(gate.pause().plus(backoff));
        }
        next = lane.nextOrEnd(gate.name());
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** False if it has to be tried again. */
  private boolean carry(Entry entry) throws InterruptedException {
    try {
      Optional<Outcome> outcome = gate.deliver(entry.notice());
      return outcome.isPresent() && settle(entry, outcome.get());
    } catch (RuntimeException bug) {
      failures++;
      LOG.error("{} for node {} failed, trying again", gate.name(), lane.node(), bug);
      return false;
    }
  }

  private boolean settle(Entry entry, Outcome outcome) {
    switch (outcome) {
      case Outcome.Delivered _ -> {
        lane.mark(entry, gate.name());
        room.counter().delivered(gate.name());
      }
      case Outcome.Refused(String why) -> {
        lane.mark(entry, gate.name());
        room.giveUp(entry.pendingFor(Set.of(gate.name())), why);
      }
      case Outcome.Later _ -> {
        failures++;
        room.counter().failed(gate.name());
        return false;
      }
    }
    failures = 0;
    return true;
  }
}
