package dev.drydock.sim.contract;

import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetList;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetStatus;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A contract with PodDisruptionBudgets. */
public abstract class BudgetApi extends ApiContract {
  private static final int PROCESSED_SECONDS = 120;

  final NonNamespaceOperation<
          PodDisruptionBudget, PodDisruptionBudgetList, Resource<PodDisruptionBudget>>
      budgets() {
    return client().policy().v1().podDisruptionBudget().inNamespace(namespace());
  }

  /** A budget for the pods with this label, not yet processed by the controller. */
  final PodDisruptionBudget createBudget(
      String name, String app, IntOrString minAvailable, @Nullable String unhealthyPolicy) {
    return budgets()
        .resource(
            new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName(name)
                .endMetadata()
                .withNewSpec()
                .withMinAvailable(minAvailable)
                .withUnhealthyPodEvictionPolicy(unhealthyPolicy)
                .withNewSelector()
                .addToMatchLabels("app", app)
                .endSelector()
                .endSpec()
                .build())
        .create();
  }

  /** A budget with this number of currently healthy pods. */
  final PodDisruptionBudget createProcessedBudget(
      String name, String app, int minAvailable, int healthyPods) {
    return createProcessedBudget(name, app, minAvailable, healthyPods, null);
  }

  final PodDisruptionBudget createProcessedBudget(
      String name,
      String app,
      int minAvailable,
      int healthyPods,
      @Nullable String unhealthyPolicy) {
    PodDisruptionBudget budget =
        createBudget(name, app, new IntOrString(minAvailable), unhealthyPolicy);
    return awaitBudget(
        budget,
        status ->
            budget.getMetadata().getGeneration().equals(status.getObservedGeneration())
                && status.getCurrentHealthy() == healthyPods);
  }

  final PodDisruptionBudget awaitBudget(
      PodDisruptionBudget budget, Predicate<PodDisruptionBudgetStatus> condition) {
    return budgets()
        .withName(budget.getMetadata().getName())
        .waitUntilCondition(
            seen ->
                seen != null
                    && seen.getStatus() != null
                    && seen.getStatus().getCurrentHealthy() != null
                    && condition.test(seen.getStatus()),
            PROCESSED_SECONDS,
            TimeUnit.SECONDS);
  }

  final PodDisruptionBudgetStatus statusOf(PodDisruptionBudget budget) {
    return budgets().withName(budget.getMetadata().getName()).require().getStatus();
  }
}
