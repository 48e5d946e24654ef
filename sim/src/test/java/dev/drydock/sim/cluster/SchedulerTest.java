package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.sim.kubelet.NodeTemplate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SchedulerTest {
  private static final String ANYWHERE = "restartPolicy: Always";

  private final SteppedCluster cluster = new SteppedCluster();

  @AfterEach
  void close() {
    cluster.close();
  }

  private void pod(String name, String spec, String requests) {
    cluster.create(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s, namespace: default}
        spec:
          %s
          containers:
          - name: main
            image: none
            resources: {requests: %s}
        """
            .formatted(name, spec, requests));
  }

  private String nodeOf(String pod) {
    return cluster.text("Pod", pod, "spec", "nodeName");
  }

  private String refusal(String pod) {
    return JsonTrees.at(cluster.get("Pod", pod), "status", "conditions")
        .valueStream()
        .filter(each -> JsonTrees.text(each, "reason").equals("Unschedulable"))
        .map(each -> JsonTrees.text(each, "message"))
        .findFirst()
        .orElse("");
  }

  private void nodes(int count, String prefix, NodeTemplate template) {
    cluster.cluster.addNodes(count, prefix, template);
  }

  @Test
  void thePodGoesToTheEmptiestNodeThatHasRoom() {
    nodes(2, "small-", NodeTemplate.DEFAULT.withCapacity("cpu", "1"));
    nodes(1, "large-", NodeTemplate.DEFAULT.withCapacity("cpu", "4"));

    pod("a", ANYWHERE, "{cpu: 800m}");
    pod("b", ANYWHERE, "{cpu: 800m}");
    pod("c", ANYWHERE, "{cpu: 800m}");
    pod("d", ANYWHERE, "{cpu: 800m}");

    assertThat(List.of(nodeOf("a"), nodeOf("b"), nodeOf("c"), nodeOf("d")))
        .containsExactly("small-1", "small-2", "large-1", "large-1");
  }

  @Test
  void whatIsCountedIsAlsoCountedForOtherResourcesAndForPods() {
    nodes(1, "gpu-", NodeTemplate.DEFAULT.withCapacity("nvidia.com/gpu", "1"));
    nodes(1, "tiny-", NodeTemplate.DEFAULT.withCapacity("pods", "1"));

    pod("a", ANYWHERE, "{nvidia.com/gpu: 1}");
    pod("b", ANYWHERE, "{nvidia.com/gpu: 1}");
    pod("c", ANYWHERE, "{}");

    assertThat(nodeOf("a")).isEqualTo("gpu-1");
    assertThat(nodeOf("c")).isEqualTo("tiny-1");
    assertThat(refusal("b")).isEqualTo("0/2 nodes are available: 2 Insufficient nvidia.com/gpu.");
  }

  @Test
  void selectorsAffinityTaintsAndCordonsAreRespected() {
    nodes(1, "cordoned-", NodeTemplate.DEFAULT);
    cluster.patch("Node", "cordoned-1", "{spec: {unschedulable: true}}");
    nodes(1, "tainted-", NodeTemplate.DEFAULT);
    cluster.patch(
        "Node", "tainted-1", "{spec: {taints: [{key: gpu, value: a, effect: NoSchedule}]}}");
    nodes(1, "zoned-", NodeTemplate.DEFAULT.withLabel("rack", "7"));
    nodes(1, "plain-", NodeTemplate.DEFAULT);

    pod("a", "nodeSelector: {rack: '7'}", "{}");
    pod("b", "tolerations: [{key: gpu, value: a}]", "{}");
    pod("c", affinity("{key: rack, operator: DoesNotExist}"), "{}");
    pod("d", affinity("{key: rack, operator: Gt, values: ['6']}"), "{}");
    pod("e", affinity("{key: rack, operator: In, values: ['8']}"), "{}");

    assertThat(nodeOf("a")).isEqualTo("zoned-1");
    assertThat(nodeOf("b")).isEqualTo("tainted-1");
    assertThat(nodeOf("c")).isEqualTo("plain-1");
    assertThat(nodeOf("d")).isEqualTo("zoned-1");
    assertThat(refusal("e")).contains("1 node(s) were unschedulable");
    assertThat(refusal("e")).contains("didn't match Pod's node affinity/selector");
  }

  private static String affinity(String expression) {
    return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution:"
        + " {nodeSelectorTerms: [{matchExpressions: ["
        + expression
        + "]}]}}}";
  }

  @Test
  void aPodThatFoundNoNodeGetsOneWhenThereIsRoom() {
    nodes(1, "node-", NodeTemplate.DEFAULT.withCapacity("cpu", "1"));
    pod("a", ANYWHERE, "{cpu: 1}");
    pod("b", ANYWHERE, "{cpu: 1}");
    assertThat(nodeOf("b")).isEmpty();

    cluster.delete("Pod", "a");
    assertThat(nodeOf("b")).isEqualTo("node-1");
    assertThat(SteppedCluster.isReady(cluster.get("Pod", "b"))).isTrue();
    assertThat(refusal("b")).isEmpty();

    pod("c", ANYWHERE, "{cpu: 1}");
    nodes(1, "more-", NodeTemplate.DEFAULT);
    assertThat(nodeOf("c")).isEqualTo("more-1");
  }

  @Test
  void theMoreImportantPodComesFirst() {
    cluster.create(
        """
        apiVersion: scheduling.k8s.io/v1
        kind: PriorityClass
        metadata: {name: urgent}
        value: 1000
        """);
    pod("a", ANYWHERE, "{cpu: 1}");
    pod("b", "priorityClassName: urgent", "{cpu: 1}");

    nodes(1, "node-", NodeTemplate.DEFAULT.withCapacity("cpu", "1"));

    assertThat(nodeOf("b")).isEqualTo("node-1");
    assertThat(nodeOf("a")).isEmpty();
  }

  @Test
  void noPodGoesToANodeThatIsNotReady() {
    nodes(1, "node-", NodeTemplate.DEFAULT);
    cluster.setKnob("Node", "node-1", Knob.SILENT, "'true'");
    cluster.advance("1M");

    pod("a", ANYWHERE, "{}");
    assertThat(refusal("a")).contains("node.kubernetes.io/unreachable");
    cluster.setKnob("Node", "node-1", Knob.SILENT, "null");

    ObjectNode pod = cluster.get("Pod", "a");
    assertThat(JsonTrees.text(pod, "spec", "nodeName")).isEqualTo("node-1");
    assertThat(SteppedCluster.isReady(pod)).isTrue();
  }
}
