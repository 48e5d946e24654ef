package dev.drydock.drain.engine.decide;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Maps pods to their budgets; computed once per change of either. */
public final class Budgets {
  private final Map<String, List<BudgetFacts>> guardsByUid;

  private Budgets(Map<String, List<BudgetFacts>> guardsByUid) {
    this.guardsByUid = guardsByUid;
  }

  public static Budgets match(Collection<PodFacts> pods, Collection<BudgetFacts> budgets) {
    Map<String, List<BudgetFacts>> byNamespace = new HashMap<>();
    for (BudgetFacts budget : budgets) {
      byNamespace
          .computeIfAbsent(budget.ref().namespace(), namespace -> new ArrayList<>())
          .add(budget);
    }
    Map<String, List<BudgetFacts>> guards = new HashMap<>();
    for (PodFacts pod : pods) {
      List<BudgetFacts> matching =
          byNamespace.getOrDefault(pod.ref().namespace(), List.of()).stream()
              .filter(budget -> budget.selects(pod))
              .toList();
      if (!matching.isEmpty()) {
        guards.put(pod.uid(), matching);
      }
    }
    return new Budgets(guards);
  }

  /** Empty for most pods, one for guarded pods; a pod with two or more cannot be evicted. */
  public List<BudgetFacts> guarding(PodFacts pod) {
    return guardsByUid.getOrDefault(pod.uid(), List.of());
  }
}
