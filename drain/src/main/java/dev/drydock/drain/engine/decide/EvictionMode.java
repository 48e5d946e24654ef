package dev.drydock.drain.engine.decide;

import java.time.Duration;

/** What happens to a pod that a drain has chosen. */
public sealed interface EvictionMode {
  /** Evict as soon as its tier and its budget allow. */
  record EvictNow() implements EvictionMode {}

  /** Wait until it ends by itself; only the drain's deadline cuts it short. */
  record LetFinish() implements EvictionMode {}

  /** Wait this long from the start of the drain, then delete it past its budget. */
  record DeleteAfter(Duration time) implements EvictionMode {
    public DeleteAfter {
      DrainPolicy.check(!time.isNegative(), "delete-after must not be negative, but is " + time);
    }
  }

  /** Not touched, not waited for. */
  record LeaveAlone() implements EvictionMode {}
}
