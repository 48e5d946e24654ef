package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.Watcher;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Evictions that a budget grants or refuses. */
public abstract class BudgetContract extends BudgetApi {
  private static final Map<String, Object> WRONG_UID =
      Map.of("preconditions", Map.of("uid", "00000000-0000-0000-0000-000000000000"));

  @Test
  void anExhaustedBudgetRefusesAndNamesTheNumbers() {
    Pod pod = runPod("web", "web", createNode());
    createProcessedBudget("all-of-web", "web", 1, 1);

    Answer answer = evict(pod);

    assertRefused(
        answer, "The disruption budget all-of-web needs 1 healthy pods and has 1 currently");
    assertThat(answer.retryAfterSeconds()).as("nobody knows when").isNull();
    assertThat(answer.retryAfter()).as("header, which a throttled request would have").isNull();
    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isNull();
  }

  /** Distinguishes a temporary refusal from one that lasts until a pod is healthy elsewhere. */
  @Test
  void aBudgetChangeNotYetProcessedRefusesWithATimeToRetry() {
    Pod pod = runPodOfUnscalableOwner(createNode());
    PodDisruptionBudget budget = createBudget("half-of-web", "web", new IntOrString("50%"), null);
    awaitBudget(budget, status -> !status.getConditions().isEmpty());

    Answer answer = evict(pod);

    assertRefused(
        answer, "The disruption budget half-of-web is still being processed by the server.");
    assertThat(answer.retryAfterSeconds()).isEqualTo(10);
    assertThat(answer.retryAfter()).isEqualTo("10");
  }

  /** Lets clients explain why the refusal above persists. */
  @Test
  void aBudgetThatCannotBeProcessedSaysWhyAndStaysBehindItsGeneration() {
    runPodOfUnscalableOwner(createNode());
    PodDisruptionBudget budget = createBudget("half-of-web", "web", new IntOrString("50%"), null);

    PodDisruptionBudget processed =
        awaitBudget(budget, status -> !status.getConditions().isEmpty());

    assertThat(processed.getStatus().getConditions())
        .singleElement()
        .satisfies(
            condition -> {
              assertThat(condition.getType()).isEqualTo("DisruptionAllowed");
              assertThat(condition.getStatus()).isEqualTo("False");
              assertThat(condition.getReason()).isEqualTo("SyncFailed");
              assertThat(condition.getMessage()).contains("scale");
            });
    assertThat(processed.getStatus().getObservedGeneration()).isNull();
    assertThat(processed.getStatus().getDisruptionsAllowed()).isZero();
  }

  @Test
  void twoBudgetsForOnePodAreAServerErrorThatStays() {
    Pod pod = runPod("web", "web", createNode());
    createProcessedBudget("first", "web", 0, 1);
    PodDisruptionBudget second = createProcessedBudget("second", "web", 0, 1);

    for (Answer answer : List.of(evict(pod), evict(pod, WRONG_UID))) {
      assertThat(answer.code()).isEqualTo(500);
      assertThat(answer.status().getReason()).isNull();
      assertThat(answer.causes()).isEmpty();
      assertThat(answer.status().getMessage())
          .isEqualTo(
              "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.");
    }

    budgets().resource(second).delete();
    assertThat(evict(pod).code()).isEqualTo(201);
  }

  /** The budget is written before the pod, so that two concurrent evictions cannot both succeed. */
  @Test
  void aGrantedEvictionUsesUpTheBudgetAndRecordsThePod() {
    Node node = createNode();
    Pod first = runPod("first", "web", node);
    Pod second = runPod("second", "web", node);
    PodDisruptionBudget budget = createProcessedBudget("web", "web", 1, 2);
    assertThat(budget.getStatus().getDisruptionsAllowed()).isEqualTo(1);
    try (var watch = RecordedWatch.of(budgets(), from(budget))) {
      assertThat(evict(first).code()).isEqualTo(201);
      // the refusal has the count of the controller, which follows
      var _ = awaitBudget(budget, status -> status.getCurrentHealthy() == 1);

      assertRefused(
          evict(second), "The disruption budget web needs 1 healthy pods and has 1 currently");
      await()
          .untilAsserted(
              () ->
                  assertThat(watch.objects(Watcher.Action.MODIFIED))
                      .anySatisfy(
                          seen -> {
                            assertThat(seen.getStatus().getDisruptedPods())
                                .containsOnlyKeys("first");
                            assertThat(seen.getStatus().getDisruptionsAllowed()).isZero();
                          }));
    }
  }

  @Test
  void aDryRunLeavesTheBudgetAlone() {
    Pod pod = runPod("web", "web", createNode());
    PodDisruptionBudget budget = createProcessedBudget("web", "web", 0, 1);

    assertThat(evict(pod, Map.of("dryRun", List.of("All"))).code()).isEqualTo(201);

    assertThat(statusOf(budget)).isEqualTo(budget.getStatus());
  }

  @Test
  void aDryRunIsRefusedLikeTheRealThing() {
    Pod pod = runPod("web", "web", createNode());
    createProcessedBudget("web", "web", 1, 1);

    Answer answer = evict(pod, Map.of("dryRun", List.of("All")));

    assertRefused(answer, "The disruption budget web needs 1 healthy pods and has 1 currently");
  }

  /** A disruption is used up even if the pod turns out to be another one of the same name. */
  @Test
  void anotherUidIsAConflictOnlyAfterTheBudgetWasUsedUp() {
    Pod pod = runPod("web", "web", createNode());
    PodDisruptionBudget budget = createProcessedBudget("web", "web", 0, 1);

    assertThat(evict(pod, WRONG_UID).code()).isEqualTo(409);

    assertThat(statusOf(budget).getDisruptedPods()).containsOnlyKeys("web");
    assertThat(statusOf(budget).getDisruptionsAllowed()).isZero();
    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isNull();
  }

  @Test
  void aRefusingBudgetIsHeardBeforeTheUid() {
    Pod pod = runPod("web", "web", createNode());
    createProcessedBudget("web", "web", 1, 1);

    assertRefused(
        evict(pod, WRONG_UID),
        "The disruption budget web needs 1 healthy pods and has 1 currently");
  }

  @Test
  void aBudgetOpensWhenAnotherPodBecomesHealthy() {
    Node node = createNode();
    Pod pod = runPod("web", "web", node);
    PodDisruptionBudget budget = createProcessedBudget("web", "web", 1, 1);
    assertThat(evict(pod).code()).isEqualTo(429);

    runPod("more", "web", node);

    awaitBudget(budget, status -> status.getDisruptionsAllowed() == 1);
    assertThat(evict(pod).code()).isEqualTo(201);
  }

  private static void assertRefused(Answer answer, String message) {
    assertThat(answer.code()).isEqualTo(429);
    assertThat(answer.status().getReason()).isEqualTo("TooManyRequests");
    assertThat(answer.causes())
        .singleElement()
        .satisfies(
            cause -> {
              assertThat(cause.getReason()).isEqualTo("DisruptionBudget");
              assertThat(cause.getMessage()).isEqualTo(message);
            });
  }

  private static ListOptions from(PodDisruptionBudget budget) {
    ListOptions options = new ListOptions();
    options.setResourceVersion(budget.getMetadata().getResourceVersion());
    return options;
  }

  /** A percentage cannot be evaluated if the expected number of pods is unknown. */
  private Pod runPodOfUnscalableOwner(Node node) {
    ConfigMap owner =
        client()
            .configMaps()
            .inNamespace(namespace())
            .resource(
                new ConfigMapBuilder().withNewMetadata().withName("owner").endMetadata().build())
            .create();
    Pod pod =
        pod("web", "web", node)
            .editMetadata()
            .addNewOwnerReference()
            .withApiVersion("v1")
            .withKind("ConfigMap")
            .withName("owner")
            .withUid(owner.getMetadata().getUid())
            .withController(true)
            .endOwnerReference()
            .endMetadata()
            .build();
    return report(createPod(pod), "Running", true);
  }
}
