package dev.drydock.kube;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The delay before a retry: short at first, doubling up to a limit, with jitter so that many
 * clients do not retry at the same time.
 */
public record Backoff(Duration first, Duration most) {
  public static final Backoff DEFAULT = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(10));

  /** The delay after this many consecutive failures, counted from 1. */
  public Duration after(int failures) {
    long full =
        Math.min(most.toMillis(), first.toMillis() << Math.min(20, Math.max(0, failures - 1)));
    return Duration.ofMillis(full / 2 + ThreadLocalRandom.current().nextLong(full / 2 + 1));
  }
}
