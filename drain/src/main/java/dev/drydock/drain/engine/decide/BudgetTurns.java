package dev.drydock.drain.engine.decide;

import dev.drydock.drain.engine.decide.Action.BudgetSeen;
import dev.drydock.drain.engine.decide.Attempt.Granted;
import dev.drydock.drain.engine.decide.Attempt.InFlight;
import dev.drydock.drain.engine.decide.Attempt.Refused;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Decides whose turn it is at each budget. Evictions of one budget run in series, because the API
 * server delays concurrent writers of one budget for a long time; and none is sent that the budget
 * would refuse.
 *
 * <p>The observed budget lags behind the server's. So a grant at the observed version counts as
 * used, and a refusal at that version takes precedence over its numbers.
 */
final class BudgetTurns {
  /** What to do about a budget now. */
  sealed interface Turn {
    record Go() implements Turn {}

    /** It seems to allow nothing, but it is time to verify that. */
    record Probe() implements Turn {}

    /** An eviction of this drain is in flight; its answer brings the next turn. */
    record Busy() implements Turn {}

    /** A probe of this drain is in flight, and likely to be refused. */
    record Probing() implements Turn {}

    record BusyElsewhere() implements Turn {}

    /** Wait until the budget changes; probe at this time at the latest. */
    record NoRoom(Instant retryAt) implements Turn {}
  }

  private final Instant now;
  private final Instant startedAt;
  private final Map<BudgetRef, Turn> busy = new HashMap<>();
  private final Set<BudgetRef> busyElsewhere;
  private final Map<BudgetSeen, Integer> spent = new HashMap<>();
  private final Set<BudgetSeen> refused = new HashSet<>();
  private final Map<BudgetRef, Instant> floor = new HashMap<>();

  BudgetTurns(Attempts attempts, Instant startedAt, Instant now) {
    this.startedAt = startedAt;
    this.now = now;
    busyElsewhere = attempts.busyElsewhere();
    attempts.byTarget().values().forEach(this::learn);
  }

  private void learn(Attempt attempt) {
    if (!(attempt.action() instanceof Action.Evict eviction) || eviction.budget().isEmpty()) {
      return;
    }
    BudgetSeen asked = eviction.budget().get();
    switch (attempt) {
      case InFlight inFlight -> take(asked.budget(), eviction.probe());
      case Granted(Action action, Instant at) -> {
        spent.merge(asked, 1, Integer::sum);
        notBefore(asked.budget(), at.plus(EvictionAnswer.RETRY));
      }
      case Refused r when r.answer() instanceof EvictionAnswer.RefusedByBudget -> {
        refused.add(asked);
        notBefore(asked.budget(), r.retryAt());
      }
      case Refused r -> {}
    }
  }

  private void notBefore(BudgetRef budget, Instant time) {
    floor.merge(budget, time, (a, b) -> a.isAfter(b) ? a : b);
  }

  Turn at(BudgetFacts budget) {
    Turn taken = busy.get(budget.ref());
    if (taken != null) {
      return taken;
    }
    if (busyElsewhere.contains(budget.ref())) {
      return new Turn.BusyElsewhere();
    }
    BudgetSeen seen = BudgetSeen.of(budget);
    if (budget.room() > spent.getOrDefault(seen, 0) && !refused.contains(seen)) {
      return new Turn.Go();
    }
    // A change could be missed, so the server is probed occasionally.
    Instant retryAt = floor.getOrDefault(budget.ref(), startedAt.plus(EvictionAnswer.RETRY));
    return now.isBefore(retryAt) ? new Turn.NoRoom(retryAt) : new Turn.Probe();
  }

  /** Records that an eviction was sent: the next one waits for its answer. */
  void take(BudgetRef budget, boolean probe) {
    busy.put(budget, probe ? new Turn.Probing() : new Turn.Busy());
  }
}
