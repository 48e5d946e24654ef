package dev.drydock.sim.kubelet;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When something began: the API's timestamp in whole seconds, and when this process first saw it.
 * The timestamp survives a restart of the process; together they are more precise.
 */
record Since(Instant stamped, Instant seen) {
  static Since of(Instant stamped, @Nullable Since previous, Instant now) {
    return previous != null && previous.stamped.equals(stamped)
        ? previous
        : new Since(stamped, now);
  }

  /**
   * The earliest instant by which it had certainly begun: nothing timed from here comes too early.
   */
  Instant instant() {
    Instant latest = stamped.plusSeconds(1);
    return seen.isBefore(latest) ? seen : latest;
  }
}
