package dev.drydock.sim.kubelet;

import java.time.Duration;
import java.time.Instant;

/**
 * Tells the time and starts work later, so that the same kubelets run in real or in virtual time.
 */
public interface TimeSource {
  /** The machine's clock; work runs on virtual threads. */
  TimeSource REAL = new RealTime();

  /** The present instant. */
  Instant now();

  /**
   * Runs the work once, after the delay (at once if it is not positive), never on the calling
   * thread.
   */
  Timer schedule(Duration delay, Runnable work);

  /** Work that has been scheduled. */
  @FunctionalInterface
  interface Timer {
    /** Drops the work unless it has begun. */
    void cancel();
  }
}
