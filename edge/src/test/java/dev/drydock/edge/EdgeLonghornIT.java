package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.drydock.edge.control.EdgeAgentSettings;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.edge.longhorn.DrainPolicyController;
import dev.drydock.edge.longhorn.NodeDrainPolicy;
import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testkit.TestProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Longhorn's own CRDs on a real API server; the test is Longhorn's manager. */
@ClusterTest
class EdgeLonghornIT {
  @TempDir private Path folder;
  private EdgeFixture edge;
  private String name;

  @BeforeEach
  void cluster(ControlPlane controlPlane, TestInfo test) {
    Optional<String> definitions = LonghornDefinitions.find();
    assumeTrue(
        definitions.isPresent() || ClusterExtension.isRequired(),
        "Longhorn's CRDs cannot be had here: no Go, or no registry of modules");
    name = "edge-lh-" + Integer.toHexString(test.getDisplayName().hashCode());
    edge = EdgeFixture.real(controlPlane, folder, name).inFastTime();
    edge.cluster.define(definitions.orElseThrow());
    kubectl(
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: longhorn-system}
        """,
        "apply",
        "-f",
        "-");
    edge.eventually()
        .until(
            () ->
                edge.cluster
                        .client()
                        .serviceAccounts()
                        .inNamespace("longhorn-system")
                        .withName("default")
                        .get()
                    != null);
  }

  @AfterEach
  void end() {
    if (edge != null) {
      kubectl("", "delete", "replicas.longhorn.io,engines.longhorn.io", "--all", "-n", SYSTEM);
      edge.close();
    }
  }

  private static final String SYSTEM = "longhorn-system";

  private void kubectl(String input, String... words) {
    var _ = edge.cluster.kubectl(input, words).output();
  }

  private void replica(String suffix, String node, String failedAt) {
    kubectl(
        """
        apiVersion: longhorn.io/v1beta2
        kind: Replica
        metadata: {name: %1$s-%2$s, namespace: longhorn-system}
        spec: {volumeName: %1$s, nodeID: %3$s, healthyAt: "2026-01-01T00:00:00Z", failedAt: "%4$s"}
        """
            .formatted(name, suffix, node, failedAt),
        "apply",
        "-f",
        "-");
  }

  @Test
  void threeNodesAtOnceNeverTakeTheLastReplicaWithThem() throws IOException {
    edge.with(EdgeLonghornIT::allAtOnce);
    String third = edge.cluster.addNode(name + "-c");
    List<EdgeFixture> machines = new ArrayList<>(List.of(edge));
    for (String other : List.of(edge.peer, third)) {
      machines.add(
          edge.machine(Files.createDirectory(folder.resolve(other)), other)
              .with(EdgeLonghornIT::allAtOnce));
    }
    replica("r1", edge.node, "");
    replica("r2", edge.peer, "2026-01-01T00:00:00Z");
    for (EdgeFixture machine : machines) {
      machine.start();
      machine.awaitStatus(NodeDrainState.NOTREQUESTED);
    }
    machines.forEach(machine -> machine.ask(EdgeOperation.REBOOT, "reboot"));

    for (EdgeFixture machine : machines.subList(1, 3)) {
      edge.eventually().untilAsserted(() -> assertThat(machine.commands).containsExactly("reboot"));
    }
    edge.eventually()
        .untilAsserted(
            () ->
                assertThat(edge.operation(EdgeOperation.REBOOT).orElseThrow().message())
                    .isEqualTo("the last healthy replica of volume " + name + " is here"));
    assertThat(edge.commands).isEmpty();
    replica("r2", edge.peer, "");

    edge.eventually().untilAsserted(() -> assertThat(edge.commands).containsExactly("reboot"));
    machines.stream().skip(1).forEach(EdgeFixture::close);
  }

  private static EdgeAgentSettings allAtOnce(EdgeAgentSettings own) {
    return new EdgeAgentSettings(
        own.node(),
        own.nodeUuid(),
        own.cordNamespace(),
        own.identity(),
        own.paths(),
        own.clustered(),
        own.settingsFile(),
        false,
        own.lastCheck(),
        own.keepsCordon(),
        own.skipWait(),
        own.patience(),
        own.poll(),
        own.commands());
  }

  @Test
  void aBudgetOfAnInstanceManagerIsExplained() {
    replica("r1", edge.node, "");
    replica("r2", edge.peer, "");
    engine(40);
    String manager = "instance-manager-" + name;
    edge.cluster.runPod(SYSTEM, manager, edge.node);
    kubectl(
        """
        apiVersion: policy/v1
        kind: PodDisruptionBudget
        metadata: {name: %1$s, namespace: longhorn-system}
        spec: {maxUnavailable: 0, selector: {matchLabels: {app: %1$s}}}
        """
            .formatted(manager),
        "apply",
        "-f",
        "-");
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");

    awaitWaits(
        "volume %1$s: replica %1$s-r1 here is the last healthy one; %1$s-r2 on %2$s is rebuilt: 40%%"
            .formatted(name, edge.peer));
    engine(100);
    awaitWaits("every volume with a replica here has a healthy one elsewhere");
    kubectl("", "delete", "pdb", manager, "-n", SYSTEM);

    edge.eventually().untilAsserted(() -> assertThat(edge.commands).containsExactly("reboot"));
    assertThat(edge.forbidden()).isEmpty();
  }

  private void awaitWaits(String text) {
    edge.eventually()
        .untilAsserted(() -> assertThat(Files.readString(edge.paths.progress())).contains(text));
  }

  /** The volume is attached to the machine's node, and its second replica is rebuilt so far. */
  private void engine(int progress) {
    kubectl(
        """
        apiVersion: longhorn.io/v1beta2
        kind: Engine
        metadata: {name: %1$s-e-0, namespace: longhorn-system}
        spec: {volumeName: %1$s, nodeID: %2$s}
        """
            .formatted(name, edge.node),
        "apply",
        "-f",
        "-");
    kubectl(
        "",
        "patch",
        "engines.longhorn.io",
        name + "-e-0",
        "-n",
        SYSTEM,
        "--subresource=status",
        "--type=merge",
        "-p",
        """
        {"status":{
          "replicaModeMap":{"%1$s-r1":"RW","%1$s-r2":"%2$s"},
          "currentReplicaAddressMap":{"%1$s-r1":"10.0.0.1:10000","%1$s-r2":"10.0.0.2:10000"},
          "rebuildStatus":{"tcp://10.0.0.2:10000":
            {"isRebuilding":%3$s,"progress":%4$d,"state":"in_progress"}}}}
        """
            .formatted(name, progress < 100 ? "WO" : "RW", progress < 100, progress));
  }

  @Test
  void theOperatorWritesThePolicyAndKeepsIt() {
    kubectl(
        """
        apiVersion: longhorn.io/v1beta2
        kind: Setting
        metadata: {name: node-drain-policy, namespace: longhorn-system}
        value: always-allow
        """,
        "apply",
        "-f",
        "-");
    try (TestProcess process = edge.cluster.process();
        DrainPolicyController controller =
            new DrainPolicyController(process.kube(), NodeDrainPolicy.BLOCK_FOR_EVICTION)) {
      controller.start();

      edge.eventually()
          .untilAsserted(
              () ->
                  assertThat(
                          edge.cluster
                              .kubectl(
                                  "",
                                  "get",
                                  "settings.longhorn.io",
                                  "node-drain-policy",
                                  "-n",
                                  SYSTEM,
                                  "-ojsonpath={.value}")
                              .output())
                      .isEqualTo("block-for-eviction"));
    }
  }
}
