package dev.drydock.slingshot.retry.decide;

import java.time.Duration;
import java.util.Optional;

/**
 * What became of the processes that were started for a NIC.
 *
 * @param restarts how often one ended by itself
 * @param inARow of these, those that followed each other without a long run in between
 * @param notBefore when the next one may start, as a time that has passed
 * @param last how the last one ended, for people
 */
public record HandlerHistory(
    int restarts, int inARow, Duration notBefore, HandlerReason reason, String last) {
  /** The launcher's, if another process has the lock of the NIC. */
  public static final int LOCKED = 200;

  /** The launcher's, if an earlier handler was killed together with who started it. */
  public static final int ABANDONED = 201;

  /** The launcher's, if there is no such program, and if it cannot be run. */
  private static final int NOT_FOUND = 127;

  private static final int NOT_EXECUTABLE = 126;

  private static final int KILLED_BY = 128;

  /** After this time a run counts as a good one. */
  public static final Duration GOOD_RUN = Duration.ofMinutes(5);

  private static final Duration FIRST_DELAY = Duration.ofSeconds(1);
  public static final Duration LONGEST_DELAY = Duration.ofSeconds(60);

  /** How often a lock that another process has is tried. */
  static final Duration LOCK_DELAY = Duration.ofSeconds(10);

  public static final HandlerHistory NONE =
      new HandlerHistory(0, 0, Duration.ZERO, HandlerReason.Running, "");

  /** It ended because it was asked to, or what follows from its end was done. */
  public HandlerHistory settled() {
    return new HandlerHistory(restarts, 0, Duration.ZERO, HandlerReason.Running, "");
  }

  /**
   * It ended by itself. That it said all is well makes no difference: nobody asked it to end.
   *
   * @param ran how long
   * @param now as a time that has passed
   */
  public HandlerHistory ended(int code, Duration ran, Duration now) {
    return switch (code) {
      case LOCKED ->
          new HandlerHistory(
              restarts,
              0,
              now.plus(LOCK_DELAY),
              HandlerReason.Locked,
              "a process that is no retry handler has the lock of this device; fuser names it");
      case ABANDONED ->
          new HandlerHistory(
              restarts + 1,
              inARow + 1,
              now,
              HandlerReason.Crashed,
              "cxi_rh was killed together with its supervisor");
      case NOT_FOUND, NOT_EXECUTABLE ->
          new HandlerHistory(
              restarts,
              0,
              now.plus(LONGEST_DELAY),
              HandlerReason.RetryHandlerBinaryMissing,
              "the program cannot be started (exit code %d)".formatted(code));
      default -> {
        int row = ran.compareTo(GOOD_RUN) >= 0 ? 1 : inARow + 1;
        yield new HandlerHistory(
            restarts + 1,
            row,
            now.plus(delay(row)),
            HandlerReason.Crashed,
            "cxi_rh %s after %d s".formatted(how(code), ran.toSeconds()));
      }
    };
  }

  /** Whether the last process crashed, as opposed to one that could not start. */
  public boolean crashed() {
    return reason == HandlerReason.Crashed;
  }

  private static String how(int code) {
    return code > KILLED_BY && code < LOCKED
        ? "was killed by signal %d".formatted(code - KILLED_BY)
        : "ended with exit code %d".formatted(code);
  }

  /** 1 s, doubling to 60 s. */
  static Duration delay(int inARow) {
    Duration delay = FIRST_DELAY.multipliedBy(1L << Math.min(10, Math.max(0, inARow - 1)));
    return delay.compareTo(LONGEST_DELAY) < 0 ? delay : LONGEST_DELAY;
  }

  /** What is left of the delay. */
  public Optional<Duration> left(Duration now) {
    Duration left = notBefore.minus(now);
    return left.isPositive() ? Optional.of(left) : Optional.empty();
  }
}
