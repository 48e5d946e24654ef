package dev.drydock.health.spool;

import java.time.Duration;

/**
 * What a spool takes before it pushes back.
 *
 * @param maxBytes of all files together
 * @param maxAge of the oldest batch that is not forwarded; zero for any age
 * @param segmentBytes when a new file is begun
 */
public record SpoolLimits(long maxBytes, Duration maxAge, long segmentBytes) {
  /** A segment is removed when all of it is forwarded, so a spool has several. */
  private static final int SEGMENTS = 16;

  private static final long LARGEST_SEGMENT = 8L << 20;

  public static SpoolLimits of(long maxBytes, Duration maxAge) {
    return new SpoolLimits(
        maxBytes, maxAge, Math.clamp(maxBytes / SEGMENTS, 1 << 12, LARGEST_SEGMENT));
  }
}
