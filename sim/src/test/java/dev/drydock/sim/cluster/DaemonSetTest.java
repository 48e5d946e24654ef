package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.sim.kubelet.NodeTemplate;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DaemonSetTest {
  private static final String AGENT =
      """
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: agent, namespace: default}
      spec:
        selector: {matchLabels: {app: agent}}
        template:
          metadata: {labels: {app: agent}}
          spec:
            nodeSelector: %s
            tolerations: %s
            containers: [{name: main, image: one}]
      """;

  private final SteppedCluster cluster = SteppedCluster.withNodes(3);

  @AfterEach
  void close() {
    cluster.close();
  }

  private List<String> nodes() {
    return cluster.all("Pod").stream()
        .map(pod -> JsonTrees.text(pod, "spec", "nodeName"))
        .sorted()
        .toList();
  }

  private int status(String field) {
    return cluster.count("DaemonSet", "agent", "status", field);
  }

  @Test
  void thereIsOnePodOnEachNodeAlsoOnTheNextAndOnCordonedOnes() {
    cluster.patch("Node", "node-2", "{spec: {unschedulable: true}}");
    cluster.create(AGENT.formatted("{}", "[]"));
    assertThat(nodes()).containsExactly("node-1", "node-2", "node-3");

    cluster.cluster.addNodes(1, "more-", NodeTemplate.DEFAULT);

    assertThat(nodes()).containsExactly("more-1", "node-1", "node-2", "node-3");
    assertThat(status("desiredNumberScheduled")).isEqualTo(4);
    assertThat(status("currentNumberScheduled")).isEqualTo(4);
    assertThat(status("numberReady")).isEqualTo(4);
    assertThat(status("numberAvailable")).isEqualTo(4);
    assertThat(status("updatedNumberScheduled")).isEqualTo(4);
  }

  @Test
  void onlyNodesThatAreMeantAndWhoseTaintsItBears() {
    cluster.cluster.addNodes(2, "gpu-", NodeTemplate.DEFAULT.withLabel("pool", "gpu"));
    cluster.patch("Node", "gpu-2", "{spec: {taints: [{key: broken, effect: NoSchedule}]}}");

    cluster.create(AGENT.formatted("{pool: gpu}", "[]"));
    assertThat(nodes()).containsExactly("gpu-1");

    cluster.patch("Node", "gpu-2", "{spec: {taints: null}}");
    assertThat(nodes()).containsExactly("gpu-1", "gpu-2");
    cluster.patch("Node", "gpu-1", "{metadata: {labels: {pool: null}}}");
    assertThat(nodes()).containsExactly("gpu-2");
  }

  @Test
  void aPodThatIsDeletedComesBackOnceItHasStopped() {
    cluster.create(AGENT.formatted("{}", "[]"));
    String pod = cluster.names("Pod").getFirst();
    cluster.setKnob("Pod", pod, Knob.STOP_AFTER, "5s");

    cluster.delete("Pod", pod);

    assertThat(cluster.names("Pod")).hasSize(3).contains(pod);
    cluster.advance("5S");
    assertThat(cluster.names("Pod")).hasSize(3).doesNotContain(pod);
  }

  @Test
  void itsPodsStayOnASilentNode() {
    cluster.create(AGENT.formatted("{}", "[]"));
    cluster.setKnob("Node", "node-1", Knob.SILENT, "'true'");

    cluster.advance("1H");

    assertThat(cluster.all("Pod"))
        .hasSize(3)
        .allMatch(pod -> JsonTrees.text(pod, "metadata", "deletionTimestamp").isEmpty());
    assertThat(status("numberReady")).isEqualTo(2);
  }

  @Test
  void aNewTemplateRollsOutOneNodeAtATime() {
    cluster.create(AGENT.formatted("{}", "[]"));

    cluster.patch(
        "DaemonSet",
        "agent",
        "{spec: {template: {metadata: {annotations: {sim.drydock.dev/ready-after: 10s}}}}}");

    assertThat(cluster.ready("Pod")).isEqualTo(2);
    assertThat(status("updatedNumberScheduled")).isEqualTo(1);
    cluster.advance("10S");
    assertThat(cluster.ready("Pod")).isEqualTo(2);
    assertThat(status("updatedNumberScheduled")).isEqualTo(2);
    cluster.advance("20S");
    assertThat(cluster.ready("Pod")).isEqualTo(3);
    assertThat(status("updatedNumberScheduled")).isEqualTo(3);
  }
}
