package dev.drydock.drain.engine.decide;

import java.time.Duration;
import java.time.Instant;

/**
 * Bounds times that users wrote. Nobody waits longer than this, and sums of bounded times cannot
 * overflow.
 */
public final class LongestTime {
  private static final Duration LONGEST = Duration.ofDays(3650);
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59Z");

  private LongestTime() {}

  /** At most ten years, and at least nothing. */
  public static Duration bound(Duration time) {
    if (time.isNegative()) {
      return Duration.ZERO;
    }
    return time.compareTo(LONGEST) < 0 ? time : LONGEST;
  }

  /** Within the years that the API itself can write. */
  public static Instant bound(Instant time) {
    Instant notBefore = time.isAfter(Instant.EPOCH) ? time : Instant.EPOCH;
    return notBefore.isBefore(LAST) ? notBefore : LAST;
  }
}
