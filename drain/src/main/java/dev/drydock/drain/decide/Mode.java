package dev.drydock.drain.decide;

import java.time.Duration;

/** What happens to a pod that a drain has chosen. */
public sealed interface Mode {
  /** Evict as soon as its tier and its budget allow. */
  record EvictNow() implements Mode {}

  /** Wait until it ends by itself; only the drain's deadline cuts it short. */
  record LetFinish() implements Mode {}

  /** Wait this long from the start of the drain, then delete it past its budget. */
  record DeleteAfter(Duration time) implements Mode {
    public DeleteAfter {
      DrainPolicy.check(!time.isNegative(), "delete-after must not be negative, but is " + time);
    }
  }

  /** Not touched, not waited for. */
  record LeaveAlone() implements Mode {}
}
