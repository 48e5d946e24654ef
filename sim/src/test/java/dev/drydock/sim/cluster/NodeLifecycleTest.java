package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Knob;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NodeLifecycleTest {
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: web, namespace: default}
      spec:
        nodeName: node-1
        tolerations: %s
        containers: [{name: main, image: none}]
      """;

  private final SteppedCluster cluster = SteppedCluster.withNodes(2);

  @AfterEach
  void close() {
    cluster.close();
  }

  private List<String> taints() {
    return JsonTrees.at(cluster.get("Node", "node-1"), "spec", "taints")
        .valueStream()
        .map(taint -> JsonTrees.text(taint, "key") + ":" + JsonTrees.text(taint, "effect"))
        .sorted()
        .toList();
  }

  private String ready() {
    return SteppedCluster.condition(cluster.get("Node", "node-1"), "Ready");
  }

  @Test
  void aSilentNodeIsUnknownAndTaintedAndItsPodsAreNotReady() {
    cluster.create(POD.formatted("[]"));
    cluster.setKnob("Node", "node-1", Knob.SILENT, "'true'");
    cluster.advance("49S");
    assertThat(ready()).isEqualTo("True");

    cluster.advance("1S");

    assertThat(ready()).isEqualTo("Unknown");
    assertThat(taints())
        .containsExactly(
            "node.kubernetes.io/unreachable:NoExecute",
            "node.kubernetes.io/unreachable:NoSchedule");
    assertThat(SteppedCluster.isReady(cluster.get("Pod", "web"))).isFalse();
  }

  @Test
  void podsAreDeletedFromItWhenTheyBearItNoLonger() {
    cluster.create(POD.formatted("[]"));
    cluster.setKnob("Node", "node-1", Knob.SILENT, "'true'");
    cluster.advance("5M49S");
    assertThat(cluster.text("Pod", "web", "metadata", "deletionTimestamp")).isEmpty();

    cluster.advance("1S");

    ObjectNode pod = cluster.get("Pod", "web");
    assertThat(JsonTrees.text(pod, "metadata", "deletionTimestamp")).isNotEmpty();
    assertThat(SteppedCluster.condition(pod, "DisruptionTarget")).isEqualTo("True");
    cluster.advance("1H");
    assertThat(cluster.names("Pod")).as("nobody says that it has stopped").contains("web");
  }

  @Test
  void aNodeThatSpeaksAgainIsReadyAndKeepsItsPods() {
    cluster.create(POD.formatted("[]"));
    cluster.setKnob("Node", "node-1", Knob.SILENT, "'true'");
    cluster.advance("3M");

    cluster.setKnob("Node", "node-1", Knob.SILENT, "null");

    assertThat(ready()).isEqualTo("True");
    assertThat(taints()).isEmpty();
    assertThat(SteppedCluster.isReady(cluster.get("Pod", "web"))).isTrue();
    cluster.advance("1H");
    assertThat(cluster.text("Pod", "web", "metadata", "deletionTimestamp")).isEmpty();
  }

  @Test
  void aPodThatSaysHowLongItBearsATaintIsTakenByItsWord() {
    cluster.create(
        POD.formatted(
            "[{key: broken, operator: Exists, effect: NoExecute, tolerationSeconds: 30}]"));
    cluster.patch("Node", "node-1", "{spec: {taints: [{key: broken, effect: NoExecute}]}}");
    cluster.advance("29S");
    assertThat(cluster.names("Pod")).contains("web");

    cluster.advance("2S");

    assertThat(cluster.names("Pod")).isEmpty();
  }

  @Test
  void aTaintThatAPodDoesNotBearRemovesItAtOnce() {
    cluster.create(POD.formatted("[]"));

    cluster.patch("Node", "node-1", "{spec: {taints: [{key: broken, effect: NoExecute}]}}");

    assertThat(cluster.names("Pod")).isEmpty();
  }

  @Test
  void aCordonIsATaintToo() {
    cluster.patch("Node", "node-1", "{spec: {unschedulable: true}}");
    assertThat(taints()).containsExactly("node.kubernetes.io/unschedulable:NoSchedule");

    cluster.patch("Node", "node-1", "{spec: {unschedulable: null}}");
    assertThat(taints()).isEmpty();
  }

  @Test
  void aRebootTakesItsTimeAndRestartsTheContainers() {
    cluster.create(POD.formatted("[]"));
    String boot = cluster.text("Node", "node-1", "status", "nodeInfo", "bootID");
    cluster.setKnob("Node", "node-1", Knob.REBOOT_TAKES, "20s");

    cluster.setKnob("Node", "node-1", Knob.REBOOT, "'1'");

    assertThat(ready()).isEqualTo("False");
    assertThat(taints()).contains("node.kubernetes.io/not-ready:NoExecute");
    assertThat(SteppedCluster.isReady(cluster.get("Pod", "web"))).isFalse();
    cluster.advance("20S");
    assertThat(ready()).isEqualTo("True");
    assertThat(taints()).isEmpty();
    assertThat(cluster.text("Node", "node-1", "status", "nodeInfo", "bootID")).isNotEqualTo(boot);
    ObjectNode pod = cluster.get("Pod", "web");
    assertThat(SteppedCluster.isReady(pod)).isTrue();
    assertThat(
            JsonTrees.at(pod, "status", "containerStatuses").path(0).path("restartCount").asInt())
        .isEqualTo(1);
  }

  @Test
  void podsOfANodeThatIsGoneAreRemoved() {
    cluster.create(POD.formatted("[]"));

    cluster.delete("Node", "node-1");
    cluster.advance("39S");
    assertThat(cluster.names("Pod")).contains("web");
    cluster.advance("1S");

    assertThat(cluster.names("Pod")).isEmpty();
  }
}
