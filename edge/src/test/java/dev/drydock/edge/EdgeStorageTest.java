package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.edge.decide.StorageView;
import dev.drydock.edge.decide.VolumeReplica;
import dev.drydock.edge.longhorn.DrainPolicyController;
import dev.drydock.edge.longhorn.LonghornReader;
import dev.drydock.edge.longhorn.NodeDrainPolicy;
import dev.drydock.kube.Kube;
import dev.drydock.testkit.LoopBug;
import dev.drydock.testkit.TestCluster;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Longhorn's objects decide what may go. The definitions here have no schema, unlike the real ones.
 */
class EdgeStorageTest {
  @TempDir private Path folder;
  private EdgeFixture edge;

  @BeforeEach
  void cluster() {
    edge = new EdgeFixture(TestCluster.simulated(), folder);
  }

  @AfterEach
  void end() {
    edge.close();
  }

  private void longhorn() {
    StringBuilder definitions = new StringBuilder();
    for (String kind : List.of("Volume", "Replica", "Engine", "Setting")) {
      String plural = kind.toLowerCase(Locale.ROOT) + "s";
      definitions.append(
          """
          ---
          apiVersion: apiextensions.k8s.io/v1
          kind: CustomResourceDefinition
          metadata: {name: %2$s.longhorn.io}
          spec:
            group: longhorn.io
            scope: Namespaced
            names: {kind: %1$s, plural: %2$s, singular: %3$s, listKind: %1$sList}
            versions:
              - name: v1beta2
                served: true
                storage: true
                schema:
                  openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
          """
              .formatted(kind, plural, kind.toLowerCase(Locale.ROOT)));
    }
    edge.cluster.define(definitions.toString());
    edge.createNamespace("longhorn-system");
    edge.eventually().until(() -> settings().list() != null);
  }

  private NonNamespaceOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      settings() {
    return edge.cluster
        .client()
        .genericKubernetesResources("longhorn.io/v1beta2", "Setting")
        .inNamespace("longhorn-system");
  }

  private void apply(String yaml) {
    var _ =
        edge.cluster
            .client()
            .load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
            .serverSideApply();
  }

  private void replica(String name, String node, String failedAt) {
    apply(
        """
        apiVersion: longhorn.io/v1beta2
        kind: Replica
        metadata: {name: %s, namespace: longhorn-system}
        spec: {volumeName: v, nodeID: %s, healthyAt: "2026-01-01T00:00:00Z", failedAt: "%s"}
        """
            .formatted(name, node, failedAt));
  }

  private StorageView read() {
    try (TestProcess process = edge.cluster.process()) {
      return new LonghornReader(process.kube().http()).read(edge.node);
    }
  }

  @Test
  void withoutLonghornThereIsNothingToKeep() {
    assertThat(read()).isEqualTo(StorageView.NONE);
  }

  /** Orphans are listed before and after the engine that serves the volume. */
  @ParameterizedTest
  @ValueSource(strings = {"v-a-orphan", "v-z-orphan"})
  void anEngineThatWasLeftBehindSaysNothingAboutReplicas(String orphan) {
    longhorn();
    replica("r1", edge.node, "");
    replica("r2", edge.peer, "");
    String engine =
        """
        apiVersion: longhorn.io/v1beta2
        kind: Engine
        metadata: {name: %s, namespace: longhorn-system}
        spec: {volumeName: v, nodeID: %s, active: %s}
        status:
          replicaModeMap: {r1: RW, r2: %s}
        """;
    apply(engine.formatted("v-e-0", edge.node, true, "ERR"));
    apply(engine.formatted(orphan, edge.node, false, "RW"));

    assertThat(read().keeps(edge.node)).hasValueSatisfying(why -> assertThat(why).contains("last"));
  }

  @Test
  void replicasAreReadWithTheirRebuilds() {
    longhorn();
    replica("r1", edge.node, "");
    replica("r2", edge.peer, "");
    apply(
        """
        apiVersion: longhorn.io/v1beta2
        kind: Engine
        metadata: {name: v-e-0, namespace: longhorn-system}
        spec: {volumeName: v, nodeID: %s}
        status:
          replicaModeMap: {r1: RW, r2: WO}
          currentReplicaAddressMap: {r1: "10.0.0.1:10000", r2: "10.0.0.2:10000"}
          rebuildStatus:
            "tcp://10.0.0.2:10000": {isRebuilding: true, progress: 40, state: in_progress}
        """
            .formatted(edge.node));

    StorageView storage = read();

    assertThat(storage.replicas())
        .containsExactlyInAnyOrder(
            new VolumeReplica("r1", "v", edge.node, true, -1),
            new VolumeReplica("r2", "v", edge.peer, false, 40));
    assertThat(storage.orphanEngines()).containsExactly("v-e-0");
    assertThat(storage.keeps(edge.node)).isPresent();
  }

  @Test
  void theMachineDoesNotGoWhileTheLastReplicaIsHere() {
    longhorn();
    replica("r1", edge.node, "");
    replica("r2", edge.peer, "2026-01-01T00:00:00Z");
    edge.start();
    edge.ask(EdgeOperation.POWEROFF, "poweroff");
    edge.awaitStatus(NodeDrainState.COMPLETE);

    edge.eventually()
        .untilAsserted(
            () ->
                assertThat(edge.operation(EdgeOperation.POWEROFF).orElseThrow().message())
                    .contains("last healthy replica of volume v"));
    edge.eventually().holdsFor(Duration.ofMinutes(10), () -> assertThat(edge.commands).isEmpty());
    replica("r2", edge.peer, "");

    edge.eventually().until(() -> !edge.commands.isEmpty());
    assertThat(edge.commands).containsExactly("poweroff");
  }

  private void policy(String value) {
    apply(
        """
        apiVersion: longhorn.io/v1beta2
        kind: Setting
        metadata: {name: node-drain-policy, namespace: longhorn-system}
        value: %s
        """
            .formatted(value));
  }

  private void assertPolicy(String value) {
    assertThat(settings().withName("node-drain-policy").require().getAdditionalProperties())
        .isEqualTo(Map.of("value", value));
  }

  @Test
  void aBugAboutLonghornsPolicyIsShownAndThePolicyIsKeptOnceItIsMended() {
    longhorn();
    policy("always-allow");
    LoopBug bug = new LoopBug().atWritesTo("/settings/node-drain-policy");
    Kube kube = edge.cluster.process(bug).kube();
    try (DrainPolicyController controller =
        new DrainPolicyController(
            kube, NodeDrainPolicy.BLOCK_FOR_EVICTION_IF_CONTAINS_LAST_REPLICA)) {
      controller.start();

      bug.staysIn(
          "longhorn-drain-policy",
          kube,
          edge.eventually(),
          () -> {
            assertPolicy("always-allow");
            assertThat(kube.health().unsynced()).as("its watch goes on").isEmpty();
          },
          () -> assertPolicy("block-for-eviction-if-contains-last-replica"));
    }
  }

  @Test
  void aBugInWhatIsSaidAboutStorageHoldsUpNoDrain() {
    longhorn();
    replica("r1", edge.node, "");
    replica("r2", edge.peer, "2026-01-01T00:00:00Z");
    LoopBug bug = new LoopBug();
    edge.start(bug, new QuickFiles());
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.runPod("instance-manager-1");
    edge.runPod("web");
    apply(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: instance-manager, namespace: default}
        spec: {maxUnavailable: 0, selector: {matchLabels: {app: instance-manager-1}}}
        """);
    edge.ask(EdgeOperation.POWEROFF, "poweroff");
    edge.eventually()
        .until(() -> edge.log.stream().anyMatch(line -> line.contains("the last healthy one")));
    bug.at(call -> call.path().contains("/replicas"));
    replica("r2", edge.peer, "");
    edge.runPod("late");

    bug.staysIn(
        "edge-storage",
        edge.kube(),
        edge.eventually(),
        () -> {
          assertThat(edge.hasPod("late")).as("evicted by the drain, which goes on").isFalse();
          assertThat(edge.log).noneMatch(line -> line.contains("has a healthy one elsewhere"));
        },
        () -> assertThat(edge.log).anyMatch(line -> line.contains("has a healthy one elsewhere")));
  }

  @Test
  void theOperatorKeepsLonghornsPolicy() {
    longhorn();
    try (TestProcess process = edge.cluster.process();
        DrainPolicyController controller =
            new DrainPolicyController(
                process.kube(), NodeDrainPolicy.BLOCK_FOR_EVICTION_IF_CONTAINS_LAST_REPLICA)) {
      controller.start();
      policy("always-allow");

      edge.eventually()
          .untilAsserted(() -> assertPolicy("block-for-eviction-if-contains-last-replica"));
    }
  }
}
