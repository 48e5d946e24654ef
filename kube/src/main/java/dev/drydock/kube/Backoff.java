package dev.drydock.kube;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before something that failed is tried again: at first shortly, doubling up to a
 * limit, with jitter so that many clients do not return together.
 */
public record Backoff(Duration first, Duration most) {
  public static final Backoff USUAL = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10));

  /** After this many failures in a row, counted from 1. */
  public Duration after(int failures) {
    long full =
        Math.min(most.toMillis(), first.toMillis() << Math.min(20, Math.max(0, failures - 1)));
    return Duration.ofMillis(full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1));
  }
}
