package dev.drydock.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Pods that a budget selects but does not protect. */
public abstract class BudgetExemptionContract extends BudgetApi {
  private static final String IF_HEALTHY_BUDGET = "IfHealthyBudget";
  private static final String ALWAYS_ALLOW = "AlwaysAllow";

  @Test
  void aPendingPodIsEvictedWhateverTheBudget() {
    Pod pod = createPod("web", "web", createNode());
    PodDisruptionBudget budget = createProcessedBudget("web", "web", 1, 0);

    assertThat(evict(pod).code()).isEqualTo(201);

    assertThat(require(pod).getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(statusOf(budget).getDisruptedPods()).isNullOrEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"Succeeded", "Failed"})
  void aFinishedPodIsEvictedWhateverTheBudgetAndGoesAtOnce(String phase) {
    Pod pod = report(createPod("web", "web", createNode()), phase, false);
    createProcessedBudget("web", "web", 1, 0);

    assertThat(evict(pod).code()).isEqualTo(201);

    assertThat(read(pod)).isNull();
  }

  @Test
  void aTerminatingPodIsEvictedWhateverTheBudget() {
    Pod pod = runPod("web", "web", createNode());
    createProcessedBudget("web", "web", 1, 1);
    pods().resource(pod).delete();

    assertThat(evict(pod).code()).isEqualTo(201);
  }

  @Test
  void twoBudgetsDoNotMatterToAPendingPod() {
    Pod pod = createPod("web", "web", createNode());
    createProcessedBudget("first", "web", 1, 0);
    createProcessedBudget("second", "web", 1, 0);

    assertThat(evict(pod).code()).isEqualTo(201);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = IF_HEALTHY_BUDGET)
  void anUnreadyPodIsEvictedWhileEnoughOthersAreHealthy(@Nullable String policy) {
    Node node = createNode();
    runPod("healthy", "web", node);
    Pod unready = runUnreadyPod("unready", "web", node);
    PodDisruptionBudget budget = createProcessedBudget("web", "web", 1, 1, policy);
    assertThat(budget.getStatus().getDisruptionsAllowed()).isZero();

    assertThat(evict(unready).code()).isEqualTo(201);

    assertThat(require(unready).getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(statusOf(budget).getDisruptedPods()).isNullOrEmpty();
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = IF_HEALTHY_BUDGET)
  void anUnreadyPodIsProtectedWhileTooFewAreHealthy(@Nullable String policy) {
    Pod unready = runUnreadyPod("unready", "web", createNode());
    createProcessedBudget("web", "web", 1, 0, policy);

    Answer answer = evict(unready);

    assertThat(answer.code()).isEqualTo(429);
    assertThat(answer.causes().getFirst().getMessage())
        .isEqualTo("The disruption budget web needs 1 healthy pods and has 0 currently");
  }

  /** A budget that requires no healthy pods is not "healthy" itself: the unready pod is stuck. */
  @Test
  void anUnreadyPodIsProtectedEvenByABudgetThatWantsNone() {
    Pod unready = runUnreadyPod("unready", "web", createNode());
    createProcessedBudget("web", "web", 0, 0);

    Answer answer = evict(unready);

    assertThat(answer.code()).isEqualTo(429);
    assertThat(answer.causes().getFirst().getMessage())
        .isEqualTo("The disruption budget web needs 0 healthy pods and has 0 currently");
  }

  @Test
  void alwaysAllowEvictsUnreadyPodsAndProtectsReadyOnes() {
    Node node = createNode();
    Pod ready = runPod("ready", "web", node);
    Pod unready = runUnreadyPod("unready", "web", node);
    PodDisruptionBudget budget = createProcessedBudget("web", "web", 2, 1, ALWAYS_ALLOW);

    assertThat(evict(unready).code()).isEqualTo(201);
    assertThat(evict(ready).code()).isEqualTo(429);

    assertThat(require(unready).getMetadata().getDeletionTimestamp()).isNotNull();
    assertThat(statusOf(budget).getDisruptedPods()).isNullOrEmpty();
  }
}
