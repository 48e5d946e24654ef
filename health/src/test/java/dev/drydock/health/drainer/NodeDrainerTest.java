package dev.drydock.health.drainer;

import static dev.drydock.health.drainer.NodeDrainerFixture.IMMEDIATE;
import static dev.drydock.health.drainer.NodeDrainerFixture.annotated;
import static dev.drydock.health.drainer.NodeDrainerFixture.fault;
import static dev.drydock.health.drainer.NodeDrainerFixture.recovery;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.drainer.NodeDrainerFixture.Operator;
import dev.drydock.health.store.StatusUpdate;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.testkit.ProcessOptions;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Whole stories, from a health event to a drained node, in virtual time. */
class NodeDrainerTest {
  private static final String SUCCEEDED = "Succeeded";
  private static final String DRAINING = "draining";
  private static final String DRAIN_SUCCEEDED = "drain-succeeded";
  private static final String CANCELLED = "Cancelled";

  private final NodeDrainerFixture fixture = NodeDrainerFixture.simulated();

  @AfterEach
  void close() {
    fixture.close();
  }

  private void eventually(String what, Callable<Boolean> holds) {
    fixture.cluster().eventually().untilAsserted(() -> assertThat(holds.call()).as(what).isTrue());
  }

  @Test
  void podsAreEvictedAndTheEventSaysSo() {
    String node = fixture.addNode();
    fixture.pod(node, "web");
    fixture.pod(node, "kube-system", "agent", _ -> {});
    try (Operator _ = fixture.operator(IMMEDIATE)) {
      String id = fixture.send(fault(node));

      fixture.eventuallyDrain(id, SUCCEEDED);

      assertThat(fixture.pods(node)).containsExactly("kube-system/agent");
      assertThat(fixture.state(node)).isEqualTo(DRAIN_SUCCEEDED);
      assertThat(fixture.store.get(id).orElseThrow().status().drainFinishTimestamp()).isNotNull();
      assertThat(fixture.store.get(id).orElseThrow().status().spanIds())
          .containsKey("node-drainer");
      NodeDrainRecord record = fixture.record(node).orElseThrow();
      assertThat(record.pods()).containsExactly("apps/web");
      assertThat(record.outcome()).isEqualTo(SUCCEEDED);
      fixture
          .cluster()
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(fixture.holds(node))
                      .contains("health/quarantine")
                      .doesNotContain("health/node-drainer"));
      assertThat(fixture.count("node_drainer_events_processed", "drain_status", "drained"))
          .isEqualTo(1);
      assertThat(fixture.count("node_drainer_events_received")).isEqualTo(1);
    }
  }

  @Test
  void theNextEventOfTheSameQuarantineNeedsNoDrain() {
    String node = fixture.addNode();
    try (Operator _ = fixture.operator(IMMEDIATE)) {
      String first = fixture.send(fault(node));
      fixture.eventuallyDrain(first, SUCCEEDED);
      String second = fixture.send(fault(node).entity("GPU", "1"));
      fixture.eventuallyDrain(second, "AlreadyDrained");
      String partial = fixture.send(recovery(node).entity("GPU", "1"));
      fixture.eventuallyDrain(partial, "AlreadyDrained");

      assertThat(fixture.state(node)).isEqualTo(DRAIN_SUCCEEDED);
      assertThat(fixture.count("node_drainer_events_processed", "drain_status", "skipped"))
          .isEqualTo(2);
    }
  }

  @Test
  void podsMayRunUntilATimeThatCountsFromTheEvent() {
    String node = fixture.addNode();
    fixture.pod(node, "train");
    String toml =
        """
        deleteAfterTimeoutMinutes = 60
        [[userNamespaces]]
        name = "app*"
        mode = "DeleteAfterTimeout"
        [[userNamespaces]]
        name = "*"
        mode = "Immediate"
        """;
    String id;
    Instant sent = fixture.cluster().clock().instant();
    try (Operator _ = fixture.operator(toml)) {
      id = fixture.send(fault(node));
      fixture.cluster().pass(Duration.ofMinutes(30));
      assertThat(fixture.pods(node)).containsExactly("apps/train");
    }
    try (Operator operator = fixture.operator(toml)) { // also after a restart
      fixture.cluster().pass(Duration.ofMinutes(29));
      assertThat(fixture.pods(node)).containsExactly("apps/train");
      assertThat(fixture.drain(id)).isEqualTo("InProgress");
      operator.drainer().refreshMetrics();
      assertThat(fixture.count("node_drainer_waiting_for_timeout", "node", node)).isEqualTo(1);
      fixture.cluster().pass(Duration.ofMinutes(2));

      fixture.eventuallyDrain(id, SUCCEEDED);
      assertThat(fixture.pods(node)).isEmpty();
      assertThat(fixture.count("node_drainer_force_delete_pods_after_timeout", "namespace", "apps"))
          .isEqualTo(1);
      assertThat(fixture.events(node, "WaitingBeforeForceDelete"))
          .isNotEmpty()
          .allMatch(
              ("Waiting for following pods to finish: [train] in namespace: [apps]"
                      + " or they will be force deleted on: "
                      + sent.plus(Duration.ofHours(1)))
                  ::equals);
    }
  }

  @Test
  void podsMayCompleteOverARestart() {
    String node = fixture.addNode();
    fixture.pod(node, "apps", "job", annotated("sim.drydock.dev/complete-after", "3h"));
    String id;
    try (Operator _ = fixture.operator("")) {
      id = fixture.send(fault(node));
      eventually("it says what it waits for", () -> !fixture.message(id).isEmpty());
      assertThat(fixture.state(node)).isEqualTo(DRAINING);
      assertThat(fixture.record(node).orElseThrow().waits().getFirst()).contains("apps/job");
      assertThat(fixture.message(id)).contains("apps/job");
      Event event =
          fixture.allEvents(node).stream()
              .filter(each -> each.getReason().equals("AwaitingPodCompletion"))
              .findFirst()
              .orElseThrow();
      assertThat(event.getMessage()).isEqualTo("Waiting for following pods to finish: [apps/job]");
      assertThat(event.getType()).isEqualTo("Normal");
      assertThat(event.getSource().getComponent()).isEqualTo("nvsentinel-node-drainer");
      assertThat(event.getInvolvedObject().getUid())
          .isEqualTo(fixture.node(node).getMetadata().getUid());
      fixture.cluster().pass(Duration.ofMinutes(25));
      assertThat(fixture.events(node, "AwaitingPodCompletion"))
          .as("it is counted, not repeated")
          .hasSize(1);
    }
    try (Operator _ = fixture.operator("")) {
      fixture.cluster().pass(Duration.ofHours(1));
      assertThat(fixture.drain(id)).isEqualTo("InProgress");
      fixture.cluster().pass(Duration.ofHours(2));
      fixture.eventuallyDrain(id, SUCCEEDED);
      assertThat(fixture.pods(node)).as("it has completed and stays").containsExactly("apps/job");
      assertThat(fixture.count("node_drainer_events_replayed")).isEqualTo(1);
    }
  }

  @Test
  void aRecoveryInTheMiddleEndsTheDrainAndThePodsStay() {
    String node = fixture.addNode();
    fixture.pod(node, "web");
    try (Operator _ = fixture.operator("")) {
      String id = fixture.send(fault(node));
      eventually("draining", () -> fixture.state(node).equals(DRAINING));

      String healthy = fixture.send(recovery(node));
      fixture.cluster().pass(Duration.ofSeconds(1));

      assertThat(fixture.drain(id)).isEqualTo(CANCELLED);
      assertThat(fixture.drain(healthy)).isEqualTo(SUCCEEDED);
      assertThat(fixture.pods(node)).containsExactly("apps/web");
      assertThat(fixture.state(node)).isEmpty();
      assertThat(fixture.holds(node)).isEmpty();
      assertThat(fixture.node(node).getSpec().getUnschedulable()).isNull();
      assertThat(fixture.count("node_drainer_cancelled_event", "check_name", "GpuXidError"))
          .isEqualTo(1);

      String again = fixture.send(fault(node));
      eventually("the next quarantine is drained", () -> fixture.state(node).equals(DRAINING));
      assertThat(fixture.drain(again)).isEqualTo("InProgress");
    }
  }

  @Test
  void whoUncordonsTheNodeEndsTheDrain() {
    String node = fixture.addNode();
    fixture.pod(node, "web");
    try (Operator _ =
        fixture.operator("[[userNamespaces]]\nname=\"*\"\nmode=\"DeleteAfterTimeout\"")) {
      String id = fixture.send(fault(node));
      eventually("draining", () -> fixture.state(node).equals(DRAINING));
      fixture.cluster().pass(Duration.ofSeconds(5));

      fixture
          .cluster()
          .client()
          .nodes()
          .withName(node)
          .edit(each -> new NodeBuilder(each).editSpec().withUnschedulable(null).endSpec().build());
      fixture.cluster().pass(Duration.ofSeconds(2));

      assertThat(fixture.drain(id)).isEqualTo(CANCELLED);
      assertThat(fixture.state(node)).isEmpty();
      fixture.cluster().pass(Duration.ofHours(2));
      assertThat(fixture.pods(node)).as("they survive the time").containsExactly("apps/web");
      assertThat(fixture.node(node).getSpec().getUnschedulable()).isNull();
    }
  }

  @Test
  void aFloodIsOneDrain() {
    String node = fixture.addNode();
    fixture.pod(node, "web");
    try (Operator _ = fixture.operator("")) {
      List<String> ids = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 400; j++) {
          ids.add(fixture.send(fault(node).entity("GPU", "g" + j)));
        }
        fixture.cluster().pass(Duration.ofSeconds(5));
      }
      assertThat(ids).allMatch(id -> fixture.drain(id).equals("InProgress"));

      fixture.cluster().client().pods().inNamespace("apps").withName("web").delete();
      fixture
          .cluster()
          .eventually()
          .until(() -> fixture.drain(ids.getLast()), "AlreadyDrained"::equals);

      assertThat(fixture.drain(ids.getFirst())).isEqualTo(SUCCEEDED);
      assertThat(ids.subList(1, ids.size()))
          .allMatch(id -> fixture.drain(id).equals("AlreadyDrained"));
      assertThat(fixture.events(node, "DrainSucceeded")).hasSize(1);
      assertThat(
              fixture.count("node_drainer_queue_items_assigned", "reason", "node_already_draining"))
          .isGreaterThan(0);
    }
  }

  private void budget(int available) {
    fixture
        .cluster()
        .client()
        .resource(
            new PodDisruptionBudgetBuilder()
                .withNewMetadata()
                .withName("guard")
                .withNamespace("apps")
                .endMetadata()
                .withNewSpec()
                .withMinAvailable(new IntOrString(available))
                .withNewSelector()
                .addToMatchLabels("app", "web")
                .endSelector()
                .endSpec()
                .build())
        .create();
    fixture.cluster().pass(Duration.ofSeconds(2));
  }

  @Test
  void aBudgetThatBlocksIsNamedAndADeadlineEndsTheWait() {
    String node = fixture.addNode();
    fixture.pod(node, "web");
    budget(1);
    try (Operator _ = fixture.operator("drainDeadlineMinutes = 30\n" + IMMEDIATE)) {
      String id = fixture.send(fault(node));
      fixture.cluster().pass(Duration.ofMinutes(5));

      assertThat(fixture.drain(id)).isEqualTo("InProgress");
      assertThat(fixture.message(id)).contains("budget apps/guard");
      assertThat(fixture.events(node, "EvictionBlocked"))
          .isNotEmpty()
          .allMatch(message -> message.contains("budget apps/guard"));
      assertThat(
              fixture.count(
                  "node_drainer_processing_errors", "error_type", "PDB_blocking_eviction_error"))
          .isGreaterThan(0);

      fixture.cluster().pass(Duration.ofMinutes(26));
      fixture.eventuallyDrain(id, "Failed");
      assertThat(fixture.state(node)).isEqualTo("drain-failed");
      assertThat(fixture.message(id)).contains("the deadline passed", "apps/guard");
      assertThat(fixture.pods(node)).containsExactly("apps/web");
      assertThat(fixture.events(node, "DrainFailed")).hasSize(1);
    }
  }

  @Test
  void overridesForceASkip() {
    String forced = fixture.addNode();
    String skipped = fixture.addNode();
    fixture.pod(forced, "web");
    fixture.pod(skipped, "other");
    try (Operator _ = fixture.operator("")) {
      String force =
          fixture.send(fault(forced).drainOverrides(new BehaviourOverrides(true, false)));
      String skip =
          fixture.send(fault(skipped).drainOverrides(new BehaviourOverrides(false, true)));

      fixture.eventuallyDrain(force, SUCCEEDED);
      fixture.eventuallyDrain(skip, "AlreadyDrained");
      assertThat(fixture.pods(forced)).isEmpty();
      assertThat(fixture.pods(skipped)).containsExactly("apps/other");
      assertThat(fixture.state(skipped)).isEqualTo("quarantined");
    }
  }

  @Test
  void onlyPodsOfTheDeviceLeaveAndUnknownOnesAreNamed() {
    String node = fixture.addNode();
    fixture.pod(
        node,
        "apps",
        "uses",
        annotated("dgxc.nvidia.com/devices", "{\"devices\":{\"nvidia.com/gpu\":[\"GPU-1\"]}}"));
    fixture.pod(
        node,
        "apps",
        "other",
        annotated("dgxc.nvidia.com/devices", "{\"devices\":{\"nvidia.com/gpu\":[\"GPU-2\"]}}"));
    fixture.pod(
        node,
        "apps",
        "unknown",
        pod ->
            pod.editSpec()
                .editFirstContainer()
                .withNewResources()
                .addToLimits("nvidia.com/gpu", new Quantity("1"))
                .addToRequests("nvidia.com/gpu", new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec());
    String toml =
        "partialDrainEnabled = true\npartialDrainEntityMetricEnabled = true\n" + IMMEDIATE;
    try (Operator _ = fixture.operator(toml)) {
      String id =
          fixture.send(
              fault(node)
                  .recommendedAction(RecommendedAction.COMPONENT_RESET)
                  .entity("GPU_UUID", "GPU-1"));
      eventually("refused", () -> fixture.message(id).contains("apps/unknown"));
      assertThat(fixture.pods(node)).hasSize(3);
      assertThat(fixture.events(node, "DevicesUnknown")).isNotEmpty();

      fixture.cluster().client().pods().inNamespace("apps").withName("unknown").delete();
      fixture.eventuallyDrain(id, SUCCEEDED);

      assertThat(fixture.pods(node)).containsExactly("apps/other");
      assertThat(fixture.count("node_drainer_events_processed", "drain_scope", "partial"))
          .isEqualTo(1);
      assertThat(fixture.count("node_drainer_partial_drains", "entity_value", "GPU-1"))
          .isEqualTo(1);
      String unusable =
          fixture.send(
              fault(node).entity("GPU", "7").recommendedAction(RecommendedAction.COMPONENT_RESET));
      fixture.eventuallyDrain(unusable, "Failed");
      assertThat(fixture.state(node)).isEqualTo("drain-failed");
      assertThat(fixture.message(unusable)).contains("GPU_UUID");
    }
  }

  @Test
  void eventsThatALaterOneEndedAreNotActedOnAfterARestart() {
    String node = fixture.addNode();
    fixture.pod(node, "web");
    String old;
    String interrupted;
    try (Operator _ = fixture.operator("")) {
      interrupted = fixture.send(fault(node));
      fixture.eventuallyDrain(interrupted, "InProgress");
    }
    // while nobody drains, the node recovers and fails again
    fixture.write(interrupted, StatusUpdate.NONE.episode(interrupted));
    old = fixture.send(fault(node).entity("GPU", "3"));
    fixture.write(
        old, StatusUpdate.NONE.nodeQuarantined(HealthStatus.ALREADY_QUARANTINED).episode("other"));
    try (Operator _ = fixture.operator("")) {
      fixture.eventuallyDrain(old, CANCELLED);
      assertThat(fixture.drain(interrupted)).isEqualTo("InProgress");
      assertThat(fixture.pods(node)).containsExactly("apps/web");
    }
  }

  @Test
  void aLabelThatWasNotWrittenIsMended() {
    String node = fixture.addNode();
    String id;
    try (Operator _ = fixture.operator(IMMEDIATE)) {
      id = fixture.send(fault(node));
      fixture.eventuallyDrain(id, SUCCEEDED);
      fixture.cluster().pass(Duration.ofSeconds(5));
    }
    fixture
        .cluster()
        .client()
        .nodes()
        .withName(node)
        .edit(
            each ->
                new NodeBuilder(each)
                    .editMetadata()
                    .addToLabels(NodeDrainerFixture.STATE, "quarantined")
                    .endMetadata()
                    .build());
    try (Operator _ = fixture.operator(IMMEDIATE)) {
      eventually("mended", () -> fixture.state(node).equals(DRAIN_SUCCEEDED));
    }
  }

  @Test
  void aNodeThatGoesAwayEndsItsDrain() {
    String node = fixture.addNode();
    fixture.pod(node, "web");
    try (Operator _ = fixture.operator("")) {
      String id = fixture.send(fault(node));
      eventually("draining", () -> fixture.state(node).equals(DRAINING));

      fixture.cluster().client().nodes().withName(node).delete();

      fixture.eventuallyDrain(id, CANCELLED);
      assertThat(fixture.message(id)).isEqualTo("the node is gone");
    }
  }

  @Test
  void podsThatDoNotEndAreNamedAndNotSilentlyForgotten() {
    String node = fixture.addNode();
    fixture.pod(node, "apps", "stuck", annotated("sim.drydock.dev/refuse-stop", "true"));
    String broken = fixture.addNode();
    fixture.pod(broken, "apps", "broken", annotated("sim.drydock.dev/never-ready", "true"));
    try (Operator _ = fixture.operator(IMMEDIATE)) {
      String id = fixture.send(fault(node));
      fixture.eventuallyDrain(id, "InProgress");
      fixture.cluster().pass(Duration.ofMinutes(5));

      fixture.eventuallyDrain(id, SUCCEEDED);
      assertThat(fixture.message(id))
          .isEqualTo("drained, but not waiting for Pods whose deletion is overdue: apps/stuck");
      assertThat(fixture.events(node, "PodsLeftBehind")).hasSize(1);
    }
    try (Operator _ = fixture.operator("stuckPods = \"forceDelete\"")) {
      String id = fixture.send(fault(broken));
      fixture.cluster().pass(Duration.ofMinutes(7));
      fixture.eventuallyDrain(id, SUCCEEDED);
      assertThat(fixture.pods(broken)).isEmpty();
    }
  }

  @Test
  void aDryRunChangesNothing() {
    String node = fixture.addNode();
    fixture.pod(node, "web");
    try (Operator _ =
        fixture.operator(IMMEDIATE, ProcessOptions.of(RequestInterceptor.NONE), true)) {
      String id = fixture.send(fault(node));
      fixture.cluster().pass(Duration.ofMinutes(2));

      assertThat(fixture.drain(id)).isEmpty();
      assertThat(fixture.state(node)).isEqualTo("quarantined");
      assertThat(fixture.pods(node)).containsExactly("apps/web");
    }
  }

  @Test
  void twoDevicesAreDrainedBesideEachOther() {
    String node = fixture.addNode();
    for (String device : List.of("GPU-1", "GPU-2")) {
      fixture.pod(
          node,
          "apps",
          device.toLowerCase(Locale.ROOT),
          annotated(
              "dgxc.nvidia.com/devices",
              "{\"devices\":{\"nvidia.com/gpu\":[\"%s\"]}}".formatted(device)));
    }
    try (Operator _ = fixture.operator("partialDrainEnabled = true")) {
      Map<String, String> ids = new TreeMap<>();
      for (String device : List.of("GPU-1", "GPU-2")) {
        ids.put(
            device,
            fixture.send(
                fault(node)
                    .entity("GPU_UUID", device)
                    .recommendedAction(RecommendedAction.COMPONENT_RESET)));
      }
      eventually("draining", () -> fixture.holds(node).contains("health/node-drainer/GPU-2"));
      fixture.cluster().client().pods().inNamespace("apps").withName("gpu-2").delete();

      fixture.eventuallyDrain(String.valueOf(ids.get("GPU-2")), SUCCEEDED);
      assertThat(fixture.drain(String.valueOf(ids.get("GPU-1")))).isEqualTo("InProgress");
      assertThat(fixture.state(node)).isEqualTo(DRAINING);
      fixture.cluster().client().pods().inNamespace("apps").withName("gpu-1").delete();
      fixture.eventuallyDrain(String.valueOf(ids.get("GPU-1")), SUCCEEDED);
      assertThat(fixture.state(node)).isEqualTo(DRAIN_SUCCEEDED);
    }
  }
}
