package dev.drydock.kube.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Tells the time and starts work later. Everything that waits, waits here, so that the same code
 * runs in real and in virtual time.
 */
public interface TimeSource {
  /** The machine's clock; work runs on virtual threads. */
  @SuppressWarnings("ClassInitializationDeadlock") // nobody else can name the class
  TimeSource REAL = new RealTime();

  Clock clock();

  /**
   * Runs the work once, after the delay (at once if it is not positive), never on the calling
   * thread's stack.
   */
  Timer schedule(Duration delay, Runnable work);

  default Instant now() {
    return clock().instant();
  }

  /** Runs the work soon, on a thread of its own where there are threads. */
  default void execute(Runnable work) {
    var _ = schedule(Duration.ZERO, work);
  }

  /** Work that has been scheduled. */
  @FunctionalInterface
  interface Timer {
    Timer NONE = () -> {};

    /** Drops the work unless it has begun. */
    void cancel();
  }
}
