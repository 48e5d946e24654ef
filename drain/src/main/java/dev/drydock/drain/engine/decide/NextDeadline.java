package dev.drydock.drain.engine.decide;

import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Keeps the earliest time in the future. */
final class NextDeadline {
  private final Instant now;
  private @Nullable Instant next;

  NextDeadline(Instant now) {
    this.now = now;
  }

  boolean passed(Instant time) {
    return !now.isBefore(time);
  }

  void at(Instant time) {
    if (!passed(time) && (next == null || time.isBefore(next))) {
      next = time;
    }
  }

  Optional<Instant> next() {
    return Optional.ofNullable(next);
  }
}
