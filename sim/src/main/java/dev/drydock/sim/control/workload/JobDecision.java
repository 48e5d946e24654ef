package dev.drydock.sim.control.workload;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Decides what a Job does next. Pure. */
final class JobDecision {
  private static final Duration FIRST_BACKOFF = Duration.ofSeconds(10);
  private static final Duration LONGEST_BACKOFF = Duration.ofMinutes(10);
  private static final int MOST_DOUBLINGS = 10;

  /** The desired state; completions is null if any success completes the Job. */
  record Wish(
      int parallelism,
      @Nullable Integer completions,
      int backoffLimit,
      @Nullable Duration deadline,
      boolean suspended) {}

  /** The current numbers of running and finished pods. */
  record State(int active, int succeeded, int failed, @Nullable Instant started, Failures lately) {}

  /** The number of failures since the last success, and the time of the last one. */
  record Failures(int count, Instant last) {
    static final Failures NONE = new Failures(0, Instant.EPOCH);
  }

  /** Why a Job has finished, or empty while it has not. */
  record End(boolean success, String reason, String message) {
    static final End NONE = new End(false, "", "");

    boolean isReached() {
      return !reason.isEmpty();
    }
  }

  /** The desired number of pods, and the latest time of the next check. */
  record Step(End end, int pods, @Nullable Instant next) {}

  private JobDecision() {}

  static Step decide(Wish wish, State state, Instant now) {
    Instant deadline =
        wish.deadline() == null || state.started() == null || wish.suspended()
            ? null
            : state.started().plus(wish.deadline());
    End end = end(wish, state, deadline, now);
    if (end.isReached()) {
      return new Step(end, 0, null);
    }
    if (wish.suspended()) {
      return new Step(End.NONE, 0, null);
    }
    Instant next = deadline;
    int wanted = wanted(wish, state);
    Instant calm = backoffEnd(state);
    if (wanted > state.active() && calm != null && calm.isAfter(now)) {
      wanted = state.active();
      next = next == null || calm.isBefore(next) ? calm : next;
    }
    return new Step(End.NONE, wanted, next);
  }

  private static End end(Wish wish, State state, @Nullable Instant deadline, Instant now) {
    if (state.failed() > wish.backoffLimit()) {
      return new End(false, "BackoffLimitExceeded", "Job has reached the specified backoff limit");
    }
    if (deadline != null && !deadline.isAfter(now)) {
      return new End(false, "DeadlineExceeded", "Job was active longer than specified deadline");
    }
    Integer completions = wish.completions();
    boolean done =
        completions == null
            ? state.succeeded() > 0 && state.active() == 0
            : state.succeeded() >= completions;
    return done
        ? new End(true, "CompletionsReached", "Reached expected number of succeeded pods")
        : End.NONE;
  }

  private static int wanted(Wish wish, State state) {
    Integer completions = wish.completions();
    if (completions == null) {
      // once one has succeeded, the others may finish and no new ones start
      return state.succeeded() > 0 ? state.active() : wish.parallelism();
    }
    return Math.max(0, Math.min(wish.parallelism(), completions - state.succeeded()));
  }

  /** The back-off doubles with each failure. */
  private static @Nullable Instant backoffEnd(State state) {
    if (state.lately().count() == 0) {
      return null;
    }
    int doublings = Math.min(state.lately().count() - 1, MOST_DOUBLINGS);
    Duration wait = FIRST_BACKOFF.multipliedBy(1L << doublings);
    return state.lately().last().plus(wait.compareTo(LONGEST_BACKOFF) < 0 ? wait : LONGEST_BACKOFF);
  }
}
