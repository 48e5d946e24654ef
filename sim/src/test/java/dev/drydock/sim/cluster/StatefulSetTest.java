package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Knob;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatefulSetTest {
  private static final String DB =
      """
      apiVersion: apps/v1
      kind: StatefulSet
      metadata: {name: db, namespace: default}
      spec:
        replicas: 3
        serviceName: db
        podManagementPolicy: %s
        selector: {matchLabels: {app: db}}
        template:
          metadata:
            labels: {app: db}
            annotations: {sim.drydock.dev/ready-after: 10s, sim.drydock.dev/stop-after: 5s}
          spec: {containers: [{name: main, image: one}]}
      """;

  private final SteppedCluster cluster = SteppedCluster.withNodes(3);

  @AfterEach
  void close() {
    cluster.close();
  }

  private int status(String field) {
    return cluster.count("StatefulSet", "db", "status", field);
  }

  private String image(String pod) {
    return JsonTrees.at(cluster.get("Pod", pod), "spec", "containers")
        .path(0)
        .path("image")
        .asText();
  }

  @Test
  void podsComeOneAfterTheOtherAndGoTheOtherWayRound() {
    cluster.create(DB.formatted("OrderedReady"));
    assertThat(cluster.names("Pod")).containsExactly("db-0");
    cluster.advance("10S");
    assertThat(cluster.names("Pod")).containsExactly("db-0", "db-1");
    cluster.advance("20S");
    assertThat(cluster.names("Pod")).containsExactly("db-0", "db-1", "db-2");
    assertThat(status("readyReplicas")).isEqualTo(3);
    assertThat(status("currentReplicas")).isEqualTo(3);

    cluster.patch("StatefulSet", "db", "{spec: {replicas: 1}}");
    cluster.advance("4S");
    assertThat(cluster.names("Pod")).containsExactly("db-0", "db-1", "db-2");
    cluster.advance("1S");
    assertThat(cluster.names("Pod")).containsExactly("db-0", "db-1");
    cluster.advance("5S");
    assertThat(cluster.names("Pod")).containsExactly("db-0");
  }

  @Test
  void inParallelTheyComeAndGoAllAtOnce() {
    cluster.create(DB.formatted("Parallel"));
    assertThat(cluster.names("Pod")).containsExactly("db-0", "db-1", "db-2");

    cluster.patch("StatefulSet", "db", "{spec: {replicas: 0}}");
    cluster.advance("5S");

    assertThat(cluster.names("Pod")).isEmpty();
  }

  @Test
  void aPodThatIsEvictedComesBackByItsNameOnceItIsGone() {
    cluster.create(DB.formatted("Parallel"));
    String before = cluster.text("Pod", "db-1", "metadata", "uid");

    cluster.cluster.evict("default", "db-1", null);

    assertThat(cluster.text("Pod", "db-1", "metadata", "uid")).isEqualTo(before);
    cluster.advance("5S");
    assertThat(cluster.text("Pod", "db-1", "metadata", "uid")).isNotEqualTo(before);
    assertThat(cluster.text("Pod", "db-1", "metadata", "labels", "apps.kubernetes.io/pod-index"))
        .isEqualTo("1");
  }

  @Test
  void aNewTemplateRollsOutFromTheLastOneDownToThePartition() {
    cluster.create(DB.formatted("Parallel"));
    cluster.advance("10S");
    cluster.patch(
        "StatefulSet",
        "db",
        "{spec: {updateStrategy: {rollingUpdate: {partition: 1}}, template:"
            + " {spec: {containers: [{name: main, image: two}]}}}}");

    cluster.advance("5S");
    assertThat(image("db-2")).isEqualTo("two");
    assertThat(image("db-1")).isEqualTo("one");
    cluster.advance("1M");

    assertThat(image("db-1")).isEqualTo("two");
    assertThat(image("db-0")).isEqualTo("one");
    cluster.delete("Pod", "db-0");
    cluster.advance("10S");
    assertThat(image("db-0")).as("below the partition").isEqualTo("one");
  }

  @Test
  void aPodOnASilentNodeIsNotReplaced() {
    cluster.create(DB.formatted("Parallel"));
    cluster.advance("10S");
    String node = cluster.text("Pod", "db-0", "spec", "nodeName");
    String before = cluster.text("Pod", "db-0", "metadata", "uid");

    cluster.setKnob("Node", node, Knob.SILENT, "'true'");
    cluster.advance("1H");

    assertThat(cluster.text("Pod", "db-0", "metadata", "uid")).isEqualTo(before);
    assertThat(cluster.text("Pod", "db-0", "metadata", "deletionTimestamp")).isNotEmpty();
    assertThat(status("readyReplicas")).isEqualTo(2);
  }
}
