package dev.drydock.kube.time;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * The clock and the scheduler of delayed work. All waiting goes through it, so the same code runs
 * in real and in virtual time.
 */
public interface TimeSource {
  /** The system clock; work runs on virtual threads. */
  @SuppressWarnings("ClassInitializationDeadlock") // the class is package-private
  TimeSource REAL = new RealTime();

  Clock clock();

  /**
   * The time since some moment in the past. It never jumps when the clock is set, so waiting times
   * are measured with it.
   */
  Duration elapsed();

  /**
   * Runs the work once after the delay (at once if it is not positive), never on the caller's
   * stack.
   */
  Timer schedule(Duration delay, Runnable work);

  default Instant now() {
    return clock().instant();
  }

  /**
   * A number from 0 to 1 for times that should differ between processes. Virtual time has always
   * the same, so that its runs can be repeated.
   */
  default double random() {
    return 0.5;
  }

  /** Runs the work soon, on its own thread where threads exist. */
  default void execute(Runnable work) {
    var _ = schedule(Duration.ZERO, work);
  }

  /** Scheduled work. */
  @FunctionalInterface
  interface Timer {
    Timer NONE = () -> {};

    /** Cancels the work unless it has begun. */
    void cancel();
  }
}
