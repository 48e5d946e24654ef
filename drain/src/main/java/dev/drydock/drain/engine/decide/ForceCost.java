package dev.drydock.drain.engine.decide;

import dev.drydock.drain.engine.decide.DrainPlan.ForceEffect;
import dev.drydock.drain.engine.decide.DrainPlan.Harm;
import dev.drydock.drain.engine.decide.PodVerdicts.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The cost of overriding every filter, budget and wait: all pods at once. */
final class ForceCost {
  private final List<Task> tasks;

  ForceCost(PodVerdicts verdicts) {
    tasks =
        Stream.concat(verdicts.going().stream(), verdicts.refused().stream())
            .filter(task -> !task.pod().finished() && !task.pod().terminating())
            .toList();
  }

  List<ForceEffect> effects() {
    List<ForceEffect> effects = new ArrayList<>();
    add(
        effects,
        Harm.NOT_BROUGHT_BACK,
        "deleted for good, nothing brings them back",
        task ->
            task.pod().controller().isEmpty()
                || task.pod().daemonSet() instanceof DaemonSetLookup.Missing);
    add(effects, Harm.DATA_LOST, "their emptyDir data is lost", task -> task.pod().emptyDir());
    add(
        effects,
        Harm.CUT_SHORT,
        "stopped before they have finished",
        task -> !(task.mode() instanceof EvictionMode.EvictNow));
    addBrokenBudgets(effects);
    return effects;
  }

  private void add(List<ForceEffect> effects, Harm harm, String line, Predicate<Task> affected) {
    List<PodRef> pods = tasks.stream().filter(affected).map(task -> task.pod().ref()).toList();
    if (!pods.isEmpty()) {
      effects.add(new ForceEffect(harm, pods, line));
    }
  }

  private void addBrokenBudgets(List<ForceEffect> effects) {
    Map<BudgetRef, List<Task>> byBudget = new TreeMap<>();
    for (Task task : tasks) {
      for (BudgetFacts budget : task.guards()) {
        byBudget.computeIfAbsent(budget.ref(), ref -> new ArrayList<>()).add(task);
      }
    }
    byBudget.forEach(
        (ref, guarded) -> {
          BudgetFacts budget =
              guarded.getFirst().guards().stream()
                  .filter(guard -> guard.ref().equals(ref))
                  .findFirst()
                  .orElseThrow();
          int ready = (int) guarded.stream().filter(task -> task.pod().ready()).count();
          if (ready > budget.room()) {
            int left = Math.max(0, budget.currentHealthy() - ready);
            effects.add(
                new ForceEffect(
                    Harm.BUDGET_BROKEN,
                    guarded.stream().map(task -> task.pod().ref()).toList(),
                    "budget %s is broken: %d healthy left of %d needed"
                        .formatted(ref, left, budget.desiredHealthy())));
          }
        });
  }
}
