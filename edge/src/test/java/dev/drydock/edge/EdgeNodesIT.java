package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.drain.stop.AndonCord;
import dev.drydock.edge.decide.DrainRequester;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.TestProcess;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Pods that come back or stay, stops, tie-breakers and nodes that leave, on a real API server. */
@ClusterTest
class EdgeNodesIT extends RealEdgeScenario {
  @Test
  void podsThatComeBackAreNamedUntilTheirControllerIsGone() {
    for (String kind : List.of("Deployment", "StatefulSet")) {
      apply(
          """
          apiVersion: apps/v1
          kind: %1$s
          metadata: {name: %2$s, namespace: default}
          spec:
            replicas: 1
            selector: {matchLabels: {app: %2$s}}
            template:
              metadata: {labels: {app: %2$s}}
              spec:
                nodeName: %3$s
                terminationGracePeriodSeconds: 1
                containers: [{name: main, image: none}]
          """
              .formatted(kind, name, edge.node));
    }
    edge.eventually()
        .untilAsserted(
            () ->
                assertThat(pods())
                    .hasSize(2)
                    .allMatch(pod -> pod.getStatus().getPhase().equals("Running")));
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");

    awaitWaits("delete the controller or scale it down, as deleting the pod is not enough");
    String pod = name + "-0";
    // while the other controller keeps the node from being empty for a moment
    String uid = uid(pod).orElseThrow();
    var _ = edge.cluster.client().pods().inNamespace("default").withName(pod).delete();
    edge.eventually().until(() -> uid(pod).filter(next -> !next.equals(uid)).isPresent());
    delete("deployment");
    edge.eventually().until(() -> replicaSets().isEmpty()); // none makes a pod any more
    awaitWaits(pod);
    assertThat(edge.commands).isEmpty();
    delete("statefulset");

    awaitCommands("reboot");
    assertThat(pods()).isEmpty();
  }

  private Optional<String> uid(String pod) {
    return Optional.ofNullable(
            edge.cluster.client().pods().inNamespace("default").withName(pod).get())
        .map(found -> found.getMetadata().getUid());
  }

  private List<ReplicaSet> replicaSets() {
    return edge.cluster
        .client()
        .apps()
        .replicaSets()
        .inNamespace("default")
        .withLabel("app", name)
        .list()
        .getItems();
  }

  @Test
  void theAgentsOwnPodSurvivesTheDrain() {
    apply(
        """
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: %1$s, namespace: default}
        spec:
          selector: {matchLabels: {app: %1$s}}
          template:
            metadata: {labels: {app: %1$s}}
            spec:
              nodeSelector: {kubernetes.io/hostname: %2$s}
              containers: [{name: main, image: none}]
        """
            .formatted(name, edge.node));
    edge.eventually().until(() -> pods().size() == 1);
    String uid = pods().getFirst().getMetadata().getUid();
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");

    awaitCommands("reboot");
    assertThat(pods())
        .singleElement()
        .satisfies(
            pod -> {
              assertThat(pod.getMetadata().getUid()).isEqualTo(uid);
              assertThat(pod.getMetadata().getDeletionTimestamp()).isNull();
            });
    delete("daemonset");
  }

  @Test
  void aStopIsAcknowledged() {
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    try (TestProcess person = edge.cluster.process()) {
      AndonCord cord = new AndonCord(person.kube(), "drydock-system");
      var _ = cord.pull("somebody", "not now");
      try {
        String version = cord.version().orElseThrow();
        edge.eventually()
            .untilAsserted(() -> assertThat(edge.lease().orElse("")).isEqualTo(version));
        edge.ask(EdgeOperation.REBOOT, "reboot");
        awaitWaits("not now");
        assertThat(edge.isCordoned(edge.node)).isFalse();
      } finally {
        assertThat(cord.release()).isTrue();
      }
    }
    awaitCommands("reboot");
    assertThat(edge.forbidden()).isEmpty();
  }

  @Test
  void aTieBreakerStaysCordonedAfterItsRebootAndOthersDoNotWaitForIt() throws IOException {
    var _ = edge.cluster.kubectl("", "label", "node", edge.node, "tie-breaker-node=true").output();
    edge.start();
    edge.ask(EdgeOperation.REBOOT, "reboot");
    awaitCommands("reboot");
    edge.reboot(false).start();

    edge.eventually()
        .untilAsserted(
            () ->
                assertThat(edge.holds(edge.node))
                    .contains("tie-breaker/" + edge.node)
                    .doesNotContain("edge/"));
    assertThat(edge.isCordoned(edge.node)).isTrue();
    EdgeFixture other = edge.machine(Files.createDirectory(folder.resolve("b")), edge.peer);
    other.publish(
        other.paths.configItems(),
        "{\"GlobalSettings\":{\"kubernetes.drain.allnodes.config.multiple\":{\"IntValue\":1},"
            + "\"timer.config.interval\":{\"IntValue\":5}}}");
    other.start();
    other.ask(EdgeOperation.REBOOT, "reboot");

    other.eventually().untilAsserted(() -> assertThat(other.commands).containsExactly("reboot"));
    assertThat(edge.forbidden()).isEmpty();
    other.close();
  }

  @Test
  void aNodeThatLeavesItsClusterIsRemovedFromIt() {
    apply(
        """
        apiVersion: rbac.authorization.k8s.io/v1
        kind: ClusterRoleBinding
        metadata: {name: drydock-agent-edge-leave}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: drydock-agent-edge-leave}
        subjects: [{kind: ServiceAccount, name: drydock-agent, namespace: drydock-agents}]
        ---
        apiVersion: v1
        kind: Namespace
        metadata: {name: eve-kube-app}
        """);
    edge.awaitRight("delete", "", "nodes", "");
    edge.eventually()
        .until(
            () ->
                edge.cluster
                        .client()
                        .serviceAccounts()
                        .inNamespace("eve-kube-app")
                        .withName("default")
                        .get()
                    != null);
    edge.cluster.runPod("eve-kube-app", name, edge.node);
    edge.publish(edge.paths.clusterConfig(), "{\"Initialized\":true,\"Valid\":true}");
    edge.start();
    edge.awaitStatus(NodeDrainState.NOTREQUESTED);
    edge.publish(edge.paths.clusterConfig(), "{\"Initialized\":true,\"Valid\":false}");

    edge.eventually().until(() -> edge.cluster.client().nodes().withName(edge.node).get() == null);
    edge.awaitStatus(NodeDrainState.NOTSUPPORTED);
    assertThat(edge.status().requestedBy()).isEqualTo(DrainRequester.NONE);
    // Its kubelet may be gone too soon to end it; then the cluster collects it a minute later.
    Pod application = edge.cluster.client().pods().inNamespace("eve-kube-app").withName(name).get();
    assertThat(application == null || application.getMetadata().getDeletionTimestamp() != null)
        .as("deleted")
        .isTrue();
    assertThat(edge.forbidden()).isEmpty();
  }
}
