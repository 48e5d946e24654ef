package dev.drydock.drain.kube;

import dev.drydock.drain.decide.BudgetRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Where the runs of one engine queue for a budget: one eviction of it at a time, on any node. */
final class BudgetDesk {
  private final Map<BudgetRef, DrainRun> turns = new HashMap<>();
  private final Map<BudgetRef, Set<DrainRun>> waiting = new HashMap<>();

  /** Takes the turn unless another run has it; then this run is woken when it is free. */
  synchronized boolean take(BudgetRef budget, DrainRun run) {
    DrainRun other = turns.putIfAbsent(budget, run);
    if (other == null || other == run) {
      return true;
    }
    waiting.computeIfAbsent(budget, ref -> new HashSet<>()).add(run);
    return false;
  }

  /** Which of these another run has; this run is woken when one is free. */
  synchronized Set<BudgetRef> takenByOthers(Set<BudgetRef> budgets, DrainRun run) {
    Set<BudgetRef> taken = new HashSet<>();
    for (BudgetRef budget : budgets) {
      DrainRun other = turns.get(budget);
      if (other != null && other != run) {
        taken.add(budget);
        waiting.computeIfAbsent(budget, ref -> new HashSet<>()).add(run);
      }
    }
    return taken;
  }

  void giveBack(BudgetRef budget, DrainRun run) {
    Set<DrainRun> woken;
    synchronized (this) {
      turns.remove(budget, run);
      Set<DrainRun> queue = waiting.remove(budget);
      woken = queue == null ? Set.of() : queue;
    }
    woken.forEach(DrainRun::wake);
  }
}
