package dev.drydock.simulate;

import dev.drydock.drain.engine.BudgetLocks;
import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.Attempt;
import dev.drydock.drain.engine.decide.Attempts;
import dev.drydock.drain.engine.decide.BudgetRef;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainDecider;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The drain of one node in virtual time: what the engine's run does with threads, in one. It looks
 * on every change, lets the engine decide, and sends what was decided.
 */
final class NodeDrain implements BudgetLocks.Waiter {
  /** Told of what happens. */
  interface Listener {
    void decided(NodeDrain drain, Decision decision);

    void answered(NodeDrain drain, Action action, EvictionAnswer answer);

    void ended(NodeDrain drain, End end);
  }

  private final String node;
  private final DrainPolicy policy;
  private final SimulatedEngine engine;
  private final Listener listener;
  private final Instant startedAt;
  private final Map<String, Attempt> attempts = new HashMap<>();
  private final Set<String> everMustGo = new HashSet<>();
  private final Object alarm = new Object();

  private Set<BudgetRef> guards = Set.of();
  private boolean looking;
  private boolean over;
  private @Nullable Decision last;

  NodeDrain(String node, DrainPolicy policy, SimulatedEngine engine, Listener listener) {
    this.node = node;
    this.policy = policy;
    this.engine = engine;
    this.listener = listener;
    this.startedAt = engine.now();
  }

  String node() {
    return node;
  }

  Instant startedAt() {
    return startedAt;
  }

  Optional<Decision> last() {
    return Optional.ofNullable(last);
  }

  /** Budgets that guard pods of its node. */
  Set<BudgetRef> guards() {
    return guards;
  }

  /** Something changed; it is seen as soon as a watch would tell. */
  @Override
  public void wake() {
    if (!looking && !over) {
      looking = true;
      engine.soon(this::look);
    }
  }

  private void look() {
    looking = false;
    if (over) {
      return;
    }
    if (!engine.isHeld(node)) {
      end(End.CANCELLED);
      return;
    }
    SimulatedEngine.Look look = engine.look(node, startedAt);
    guards = look.guards();
    Attempts known =
        new Attempts(attempts, everMustGo, engine.budgetLocks().takenByOthers(guards, this));
    Instant now = engine.now();
    Decision decision = DrainDecider.decide(look.observation(), known, policy, startedAt, now);
    everMustGo.addAll(decision.mustGo());
    last = decision;
    listener.decided(this, decision);
    decision.actions().forEach(action -> begin(action, now));
    switch (decision.status()) {
      case DONE -> end(End.DONE);
      case REFUSED -> end(End.REFUSED);
      case FAILED -> end(End.FAILED);
      case DRAINING, BLOCKED ->
          decision.wakeAt().ifPresent(time -> engine.at(alarm, time, this::wake));
    }
  }

  private void begin(Action action, Instant now) {
    Optional<BudgetRef> budget = budgetOf(action);
    if (budget.isPresent() && !engine.budgetLocks().take(budget.get(), this)) {
      return;
    }
    attempts.put(action.target(), new Attempt.InFlight(action, now));
    engine.send(action, answer -> answered(action, budget, answer));
  }

  private void answered(Action action, Optional<BudgetRef> budget, EvictionAnswer answer) {
    attempts.put(action.target(), Attempt.answered(action, answer, engine.now()));
    budget.ifPresent(ref -> engine.budgetLocks().giveBack(ref, this));
    listener.answered(this, action, answer);
    wake();
  }

  private static Optional<BudgetRef> budgetOf(Action action) {
    return action instanceof Action.Evict evict
        ? evict.budget().map(Action.BudgetSeen::budget)
        : Optional.empty();
  }

  private void end(End end) {
    over = true;
    engine.ended(this);
    listener.ended(this, end);
  }
}
