package dev.drydock.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.lifecycle.compat.CompatLifecycleEvent;
import dev.drydock.contracts.lifecycle.compat.CompatLifecycleTransition;
import dev.drydock.lifecycle.api.TransitionHistory;
import dev.drydock.lifecycle.plugin.Driver;
import dev.drydock.lifecycle.slm.EndLifecycleTransitionRequest;
import dev.drydock.lifecycle.slm.LifecycleTransitionResponse;
import dev.drydock.lifecycle.slm.StartLifecycleTransitionRequest;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.grpc.Status;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What drivers expect of the first claimer, with transitions for one node. */
abstract class FirstClaimerContract extends LifecycleContract {
  private boolean isPublished(String transition) {
    return fixture
            .cluster()
            .client()
            .resources(CompatLifecycleTransition.class)
            .withName(transition)
            .get()
        != null;
  }

  @Test
  void anEventWaitsForADriverThatRegistersLater() throws Exception {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node);
    String name = "late-" + node;
    fixture.transition(name, name, "nodeName: " + node);
    fixture.event(name, name, node);
    eventually().until(() -> fixture.message(name).contains("driver " + name));

    fixture.pass(node, Duration.ofSeconds(36));

    assertThat(fixture.claim(name)).isEqualTo("Pending");
    assertThat(isPublished(name)).isTrue();
    try (AutoCloseable _ = fixture.serve(node, name, new QuickDriver())) {
      fixture.awaitGone(name);
    }
    assertThat(fixture.last(node).outcome()).isEqualTo("Succeeded");
    assertThat(isPublished(name)).as("a transition outlives its events").isTrue();
    assertThat(fixture.condition(node).orElseThrow().getReason()).isEqualTo("drain-complete");
  }

  @Test
  void ofTwoEventsOneIsClaimedAlsoAfterARestart() {
    String node = blockedNode();
    String first = "a-" + node;
    String second = "b-" + node;
    TestAgent before = fixture.agent(node);
    fixture.event(first, LifecycleFixture.DRAIN, node);
    fixture.event(second, LifecycleFixture.DRAIN, node);
    awaitBlocked(first);

    before.close();
    TestAgent _ = fixture.agent(node);

    eventually()
        .holdsFor(
            Duration.ofSeconds(2),
            () ->
                assertThat(List.of(fixture.claim(first), fixture.claim(second)))
                    .containsExactly("Claimed", "Pending"));
    openBudget();
    fixture.awaitGone(first);
    fixture.awaitGone(second);
    assertThat(fixture.history(node).entries())
        .extracting(TransitionHistory.Entry::outcome)
        .containsExactly("Succeeded", "Succeeded");
  }

  @Test
  void anEventEndsWhoseDriverGoesAfterTheClaim() throws Exception {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node);
    String name = "leaving-" + node;
    fixture.transition(name, name, "nodeName: " + node + ", sla: 35s");
    try (AutoCloseable _ = fixture.serve(node, name, new SlowDriver())) {
      fixture.event(name, name, node);
      eventually().until(() -> fixture.claim(name).equals("Claimed"));
    }

    fixture.passTime(node, name);

    assertThat(fixture.last(node).outcome()).isIn("SlaExpired", "Failed");
  }

  @Test
  void anEventThatFailsKeepsTheFinalizersOfOthersOnly() throws Exception {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node);
    String name = "kept-" + node;
    fixture.transition(name, name, "nodeName: " + node);
    fixture.apply(
        """
        apiVersion: lifecycle.k8s.io/v1alpha1
        kind: LifecycleEvent
        metadata: {name: %1$s, finalizers: [example.com/mine]}
        spec: {transitionName: %1$s, bindingNode: %2$s}
        """
            .formatted(name, node));
    try (AutoCloseable _ = fixture.serve(node, name, new FailingDriver())) {
      eventually()
          .untilAsserted(
              () -> {
                CompatLifecycleEvent event = fixture.find(name).orElseThrow();
                assertThat(fixture.claim(name)).isEqualTo("Failed");
                assertThat(event.getMetadata().getFinalizers()).containsExactly("example.com/mine");
                assertThat(event.getMetadata().getDeletionTimestamp()).isNotNull();
              });
    }
    var _ =
        fixture
            .cluster()
            .client()
            .resources(CompatLifecycleEvent.class)
            .withName(name)
            .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"metadata\":{\"finalizers\":null}}");
    fixture.awaitGone(name);
  }

  @Test
  void transitionsForTheNodeGoWithTheirDriver() throws Exception {
    String node = fixture.node();
    TestAgent _ = fixture.agent(node);
    String ofNode = "node-" + node;
    String ofAll = "all-" + node;
    String ofLabels = "labels-" + node;
    try (AutoCloseable _ = fixture.serve(node, ofNode, new QuickDriver())) {
      fixture.transition(ofNode, ofNode, "nodeName: " + node);
      fixture.transition(ofAll, ofNode, "allNodes: true");
      fixture.transition(
          ofLabels,
          ofNode,
          "nodeSelector: {nodeSelectorTerms: [{matchExpressions: [{key: r, operator: Exists}]}]}");
      fixture.event(ofNode, ofNode, node);
      fixture.awaitGone(ofNode);
    }

    fixture.pass(node, Duration.ofSeconds(20));
    assertThat(isPublished(ofNode)).isTrue();
    fixture.pass(node, Duration.ofSeconds(15));
    eventually().until(() -> !isPublished(ofNode));
    fixture.pass(node, Duration.ofSeconds(90));
    assertThat(isPublished(ofAll)).isTrue();
    assertThat(isPublished(ofLabels)).isTrue();
  }

  /** Is never done. */
  private static final class SlowDriver implements Driver {
    @Override
    public CompletableFuture<LifecycleTransitionResponse> start(
        StartLifecycleTransitionRequest request) {
      return working(request.getStart(), request.getNodeName());
    }

    @Override
    public CompletableFuture<LifecycleTransitionResponse> end(
        EndLifecycleTransitionRequest request) {
      return working(request.getStart(), request.getNodeName());
    }

    private static CompletableFuture<LifecycleTransitionResponse> working(
        String reason, String node) {
      return CompletableFuture.completedFuture(
          LifecycleTransitionResponse.newBuilder()
              .setLifecycleCondition(reason)
              .setNodeName(node)
              .build());
    }
  }

  /** Answers as a plain error of Go is answered. */
  private static final class FailingDriver implements Driver {
    @Override
    public CompletableFuture<LifecycleTransitionResponse> start(
        StartLifecycleTransitionRequest request) {
      return failed();
    }

    @Override
    public CompletableFuture<LifecycleTransitionResponse> end(
        EndLifecycleTransitionRequest request) {
      return failed();
    }

    private static CompletableFuture<LifecycleTransitionResponse> failed() {
      return CompletableFuture.failedFuture(
          Status.UNKNOWN.withDescription("no").asRuntimeException());
    }
  }
}
