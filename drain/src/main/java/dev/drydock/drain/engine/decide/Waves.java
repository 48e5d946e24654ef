package dev.drydock.drain.engine.decide;

import dev.drydock.drain.engine.decide.PodVerdicts.Task;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Which pods of a tier can leave together: each wave takes what its budget allows, and the next one
 * waits until the replacements are healthy.
 */
final class Waves {
  private Waves() {}

  /**
   * Pods to evict that share a budget, each with its only budget; budgets are independent of each
   * other. Pods in other modes finish or bypass the budget, so they are not included.
   */
  static Collection<List<Task>> byBudget(List<Task> tasks) {
    Map<BudgetRef, List<Task>> groups = new LinkedHashMap<>();
    for (Task task : tasks) {
      if (task.guards().size() == 1 && task.mode() instanceof EvictionMode.EvictNow) {
        groups.computeIfAbsent(task.guards().getFirst().ref(), ref -> new ArrayList<>()).add(task);
      }
    }
    return groups.values();
  }

  /**
   * Splits one budget's pods into waves. The first is empty if the budget allows nothing now; there
   * are none if it never will.
   */
  static List<List<Task>> of(List<Task> group) {
    BudgetFacts budget = group.getFirst().guards().getFirst();
    if (budget.neverAllows()) {
      return List.of();
    }
    List<List<Task>> waves = new ArrayList<>();
    int from = Math.min(budget.room(), group.size());
    waves.add(group.subList(0, from));
    int width = Math.max(1, budget.roomWhenHealthy());
    while (from < group.size()) {
      int to = Math.min(from + width, group.size());
      waves.add(group.subList(from, to));
      from = to;
    }
    return waves;
  }
}
