package dev.drydock.drain.command;

import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.BudgetRef;
import dev.drydock.drain.engine.decide.DrainPlan;
import dev.drydock.drain.engine.decide.PodRef;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A plan for programs. Its field names are part of the interface. */
record DrainPlanReport(
    String node,
    boolean possible,
    double etaAtLeastSeconds,
    @Nullable Double etaAtMostSeconds,
    List<Pod> pods,
    List<List<String>> waves,
    List<Block> blockers,
    List<Block> impossible,
    List<String> warnings,
    List<Effect> forceWould) {

  record Pod(String namespace, String name, String outcome, String message, List<String> budgets) {}

  record Block(String reason, List<String> pods, String message, String next) {
    static Block of(Blocker blocker) {
      return new Block(
          blocker.reason().camelCase(), names(blocker.pods()), blocker.what(), blocker.next());
    }
  }

  record Effect(String harm, List<String> pods) {}

  static DrainPlanReport of(DrainPlan plan) {
    return new DrainPlanReport(
        plan.node(),
        plan.possible(),
        plan.eta().atLeast().toMillis() / 1000.0,
        plan.eta().atMost().map(time -> time.toMillis() / 1000.0).orElse(null),
        plan.pods().stream().map(DrainPlanReport::pod).toList(),
        plan.tiers().stream()
            .flatMap(tier -> tier.waves().stream())
            .map(DrainPlanReport::names)
            .toList(),
        plan.blockers().stream().map(Block::of).toList(),
        plan.impossible().stream().map(Block::of).toList(),
        plan.warnings(),
        plan.force().stream()
            .map(effect -> new Effect(effect.line(), names(effect.pods())))
            .toList());
  }

  private static Pod pod(DrainPlan.PodPlan pod) {
    return new Pod(
        pod.pod().namespace(),
        pod.pod().name(),
        pod.verdict().outcome().toString().toLowerCase(Locale.ROOT),
        pod.verdict().message(),
        pod.budgets().stream().map(BudgetRef::toString).toList());
  }

  private static List<String> names(List<PodRef> pods) {
    return pods.stream().map(PodRef::toString).toList();
  }
}
