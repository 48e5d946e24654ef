package dev.drydock.demo;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Counts changes, for threads that wait for a condition. */
final class ChangeCounter {
  private static final Duration EVER = Duration.ofDays(10_000);

  private final Clock clock;
  private long count;

  ChangeCounter(Clock clock) {
    this.clock = clock;
  }

  synchronized void changed() {
    count++;
    notifyAll();
  }

  synchronized long count() {
    return count;
  }

  /** Waits until the condition holds, checking it after every change; false on timeout. */
  boolean await(BooleanSupplier so, Duration atMost) throws InterruptedException {
    Instant deadline = clock.instant().plus(atMost);
    while (true) {
      long before = count();
      if (so.getAsBoolean()) {
        return true;
      }
      if (!awaitMore(before, deadline)) {
        return false;
      }
    }
  }

  /** Waits until the condition holds, without a timeout. */
  void await(BooleanSupplier so) throws InterruptedException {
    var _ = await(so, EVER);
  }

  private synchronized boolean awaitMore(long before, Instant deadline)
      throws InterruptedException {
    while (count <= before) {
      Duration left = Duration.between(clock.instant(), deadline);
      if (!left.isPositive()) {
        return false;
      }
      wait(Math.max(1, left.toMillis()));
    }
    return true;
  }
}
