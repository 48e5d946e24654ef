package dev.drydock.app.demo;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Counts that something changed, for those who wait until it looks as it should. */
final class News {
  private final Clock clock;
  private long count;

  News(Clock clock) {
    this.clock = clock;
  }

  synchronized void tell() {
    count++;
    notifyAll();
  }

  synchronized long count() {
    return count;
  }

  /** Waits until there is more news than that; false if there was none until then. */
  synchronized boolean await(long more, Instant deadline) throws InterruptedException {
    while (count <= more) {
      Duration left = Duration.between(clock.instant(), deadline);
      if (!left.isPositive()) {
        return false;
      }
      wait(Math.max(1, left.toMillis()));
    }
    return true;
  }
}
