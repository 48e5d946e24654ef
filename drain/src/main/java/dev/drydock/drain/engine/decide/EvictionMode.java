package dev.drydock.drain.engine.decide;

import java.time.Duration;
import java.time.Instant;

/** How a selected pod is drained. */
public sealed interface EvictionMode {
  /** Evict when its tier and its budget allow it. */
  record EvictNow() implements EvictionMode {}

  /** Wait until it finishes; only the drain's deadline interrupts it. */
  record LetFinish() implements EvictionMode {}

  /** Wait this long from the start of the drain, then delete it regardless of its budget. */
  record DeleteAfter(Duration time) implements EvictionMode {
    public DeleteAfter {
      DrainPolicy.check(!time.isNegative(), "delete-after must not be negative, but is " + time);
    }
  }

  /** Wait until this time, then delete it regardless of its budget. */
  record DeleteAt(Instant time) implements EvictionMode {}

  /** Ignored. */
  record LeaveAlone() implements EvictionMode {}
}
