package dev.drydock.drain.engine.decide;

import dev.drydock.drain.engine.decide.Attempt.InFlight;
import dev.drydock.drain.engine.decide.Attempt.Refused;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Accepts requests of one decision, within the concurrency limit and unless the server throttles or
 * everything is stopped.
 */
final class AllowedActions {
  private final Attempts attempts;
  private final int maxInFlight;
  private final Instant now;
  private final Optional<Instant> throttledUntil;
  private final List<Action> actions = new ArrayList<>();
  private int inFlight;
  private boolean closed;
  private boolean underway;

  AllowedActions(Attempts attempts, int maxInFlight, Instant now) {
    this.attempts = attempts;
    this.maxInFlight = maxInFlight;
    this.now = now;
    inFlight =
        (int) attempts.byTarget().values().stream().filter(InFlight.class::isInstance).count();
    throttledUntil =
        attempts.byTarget().values().stream()
            .filter(a -> a instanceof Refused r && r.answer() instanceof EvictionAnswer.Throttled)
            .map(a -> ((Refused) a).retryAt())
            .filter(now::isBefore)
            .max(Instant::compareTo);
  }

  /** Accepts nothing from now on. */
  void close() {
    closed = true;
  }

  /** The server's throttle, which applies to every request. */
  Optional<Instant> throttledUntil() {
    return throttledUntil;
  }

  /**
   * The last answer to the same kind of request, if it still forbids a retry. Refusals by an
   * observed budget do not count: its changes trigger the retry.
   */
  Optional<Refused> standingRefusal(Action action) {
    return attempts
        .on(action.target())
        .filter(Refused.class::isInstance)
        .map(Refused.class::cast)
        .filter(refused -> refused.action().getClass() == action.getClass())
        .filter(refused -> !(refused.answer() instanceof EvictionAnswer.Throttled))
        .filter(
            refused ->
                !(refused.answer() instanceof EvictionAnswer.RefusedByBudget && asksBudget(action)))
        .filter(refused -> now.isBefore(refused.retryAt()));
  }

  private static boolean asksBudget(Action action) {
    return action instanceof Action.Evict evict && evict.budget().isPresent();
  }

  /** Whether it was accepted; if not, other requests are in flight or a blocker says why. */
  boolean send(Action action) {
    if (closed || throttledUntil.isPresent()) {
      return false;
    }
    boolean probe = action instanceof Action.Evict evict && evict.probe();
    underway |= !probe;
    if (inFlight >= maxInFlight) {
      return false;
    }
    actions.add(action);
    inFlight++;
    return true;
  }

  void somethingIsUnderway() {
    underway = true;
  }

  boolean underway() {
    return underway;
  }

  List<Action> actions() {
    return actions;
  }
}
