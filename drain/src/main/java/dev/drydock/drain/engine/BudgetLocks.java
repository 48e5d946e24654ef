package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.BudgetRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Where drains queue for a budget: one eviction of it at a time, on any node. */
final class BudgetLocks {
  /** A drain of one node. */
  interface Waiter {
    /** Something may have changed: decide again. */
    void wake();
  }

  private final Map<BudgetRef, Waiter> turns = new HashMap<>();
  private final Map<BudgetRef, Set<Waiter>> waiting = new HashMap<>();

  /** Takes the turn unless another run has it; then this run is woken when it is free. */
  synchronized boolean take(BudgetRef budget, Waiter run) {
    Waiter other = turns.putIfAbsent(budget, run);
    if (other == null || other.equals(run)) {
      return true;
    }
    waiting.computeIfAbsent(budget, ref -> new LinkedHashSet<>()).add(run);
    return false;
  }

  /** Which of these another run has; this run is woken when one is free. */
  synchronized Set<BudgetRef> takenByOthers(Set<BudgetRef> budgets, Waiter run) {
    Set<BudgetRef> taken = new HashSet<>();
    for (BudgetRef budget : budgets) {
      Waiter other = turns.get(budget);
      if (other != null && !other.equals(run)) {
        taken.add(budget);
        waiting.computeIfAbsent(budget, ref -> new LinkedHashSet<>()).add(run);
      }
    }
    return taken;
  }

  void giveBack(BudgetRef budget, Waiter run) {
    Set<Waiter> woken;
    synchronized (this) {
      turns.remove(budget, run);
      Set<Waiter> queue = waiting.remove(budget);
      woken = queue == null ? Set.of() : queue;
    }
    woken.forEach(Waiter::wake);
  }
}
