package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Knob;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplicaSetTest {
  private static final String WEB =
      """
      apiVersion: apps/v1
      kind: ReplicaSet
      metadata: {name: web, namespace: default}
      spec:
        replicas: 3
        minReadySeconds: %d
        selector: {matchLabels: {app: web}}
        template:
          metadata: {labels: {app: web}}
          spec: {containers: [{name: main, image: none}]}
      """;

  private final SteppedCluster cluster = SteppedCluster.withNodes(3);

  @AfterEach
  void close() {
    cluster.close();
  }

  @Test
  void itsPodsRunSpreadOverTheNodesAtOnce() {
    cluster.create(WEB.formatted(0));

    assertThat(cluster.ready("Pod")).isEqualTo(3);
    Set<String> nodes = new HashSet<>();
    cluster.all("Pod").forEach(pod -> nodes.add(JsonTrees.text(pod, "spec", "nodeName")));
    assertThat(nodes).hasSize(3);
    assertThat(cluster.count("ReplicaSet", "web", "status", "readyReplicas")).isEqualTo(3);
    assertThat(cluster.count("ReplicaSet", "web", "status", "availableReplicas")).isEqualTo(3);
    assertThat(cluster.count("ReplicaSet", "web", "status", "observedGeneration")).isEqualTo(1);
  }

  @Test
  void aPodThatIsEvictedIsReplacedWhileItStillEnds() {
    cluster.create(WEB.formatted(0));
    String first = cluster.names("Pod").getFirst();
    cluster.setKnob("Pod", first, Knob.STOP_AFTER, "10s");

    assertThat(cluster.cluster.evict("default", first, null).code()).isEqualTo(201);

    assertThat(cluster.names("Pod")).hasSize(4).contains(first);
    cluster.advance("10S");
    assertThat(cluster.names("Pod")).hasSize(3).doesNotContain(first);
  }

  @Test
  void thePodThatIsNotReadyGoesFirst() {
    cluster.create(WEB.formatted(0));
    String second = cluster.names("Pod").get(1);
    cluster.setKnob("Pod", second, Knob.NEVER_READY, "'true'");

    cluster.patch("ReplicaSet", "web", "{spec: {replicas: 2}}");

    assertThat(cluster.names("Pod")).hasSize(2).doesNotContain(second);
  }

  @Test
  void aPodIsAvailableOnceItHasBeenReadyLongEnough() {
    cluster.create(WEB.formatted(20));

    assertThat(cluster.count("ReplicaSet", "web", "status", "readyReplicas")).isEqualTo(3);
    assertThat(cluster.count("ReplicaSet", "web", "status", "availableReplicas")).isZero();
    cluster.advance("20S");
    assertThat(cluster.count("ReplicaSet", "web", "status", "availableReplicas")).isEqualTo(3);
  }

  @Test
  void whatBelongsToItGoesWithIt() {
    cluster.create(WEB.formatted(0));

    cluster.delete("ReplicaSet", "web");

    assertThat(cluster.names("Pod")).isEmpty();
  }
}
