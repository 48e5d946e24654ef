package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Knob;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DeploymentTest {
  private static final String WEB =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web, namespace: default}
      spec:
        replicas: 4
        strategy: %s
        selector: {matchLabels: {app: web}}
        template:
          metadata:
            labels: {app: web}
            annotations: {sim.drydock.dev/ready-after: 10s}
          spec: {containers: [{name: main, image: one}]}
      """;
  private static final String STEP_BY_STEP =
      "{type: RollingUpdate, rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}";
  private static final String NEXT_IMAGE =
      "{spec: {template: {spec: {containers: [{name: main, image: two}]}}}}";

  private final SteppedCluster cluster = SteppedCluster.withNodes(3);

  @AfterEach
  void close() {
    cluster.close();
  }

  private List<String> images() {
    return cluster.all("Pod").stream()
        .filter(pod -> !ObjectFacts.isDeleted(pod))
        .map(pod -> JsonTrees.at(pod, "spec", "containers").path(0).path("image").asText())
        .sorted()
        .toList();
  }

  private String condition(String type) {
    return SteppedCluster.condition(cluster.get("Deployment", "web"), type);
  }

  @Test
  void itsPodsBelongToAReplicaSetThatIsNamedByTheirTemplate() {
    cluster.create(WEB.formatted(STEP_BY_STEP));
    assertThat(condition("Available")).isEqualTo("False");
    assertThat(condition("Progressing")).isEqualTo("True");

    cluster.advance("10S");

    ObjectNode set = cluster.all("ReplicaSet").getFirst();
    String hash = JsonTrees.text(set, "metadata", "labels", "pod-template-hash");
    assertThat(JsonTrees.text(set, "metadata", "name")).isEqualTo("web-" + hash);
    assertThat(cluster.all("Pod"))
        .hasSize(4)
        .allMatch(
            pod -> JsonTrees.text(pod, "metadata", "labels", "pod-template-hash").equals(hash))
        .allMatch(pod -> JsonTrees.text(pod, "metadata", "name").startsWith("web-" + hash + "-"));
    assertThat(cluster.count("Deployment", "web", "status", "availableReplicas")).isEqualTo(4);
    assertThat(cluster.count("Deployment", "web", "status", "updatedReplicas")).isEqualTo(4);
    assertThat(condition("Available")).isEqualTo("True");
  }

  @Test
  void aNewTemplateRollsOutWithinItsLimits() {
    cluster.create(WEB.formatted(STEP_BY_STEP));
    cluster.advance("10S");
    List<Long> ready = new ArrayList<>();
    List<Integer> total = new ArrayList<>();
    cluster.cluster.listen(
        event -> {
          if (event.resource().equals("deployments.apps")) {
            ready.add(JsonTrees.at(event.object(), "status", "availableReplicas").asLong());
            total.add(JsonTrees.at(event.object(), "status", "replicas").asInt());
          }
        });

    cluster.patch("Deployment", "web", NEXT_IMAGE);
    assertThat(images()).containsExactly("one", "one", "one", "one", "two");
    cluster.advance("10S");
    assertThat(images()).containsExactly("one", "one", "one", "two", "two");
    cluster.advance("1M");

    assertThat(images()).containsOnly("two").hasSize(4);
    assertThat(ready).allMatch(count -> count >= 4);
    assertThat(total).allMatch(count -> count <= 5);
    assertThat(cluster.count("Deployment", "web", "status", "updatedReplicas")).isEqualTo(4);
    assertThat(cluster.names("ReplicaSet")).as("the old one is kept").hasSize(2);
  }

  @Test
  void aTemplateThatNeverGetsReadyStopsTheRollOut() {
    cluster.create(WEB.formatted(STEP_BY_STEP));
    cluster.advance("10S");

    cluster.patch(
        "Deployment",
        "web",
        "{spec: {template: {metadata: {annotations: {'%s': 'true'}}}}}"
            .formatted(Knob.NEVER_READY.annotation()));
    cluster.advance("11M");

    assertThat(cluster.count("Deployment", "web", "status", "availableReplicas")).isEqualTo(4);
    assertThat(cluster.count("Deployment", "web", "status", "updatedReplicas")).isEqualTo(1);
    assertThat(condition("Progressing")).isEqualTo("False");
  }

  @Test
  void recreateWaitsUntilTheOldPodsAreGone() {
    cluster.create(WEB.formatted("{type: Recreate}"));
    cluster.advance("10S");
    cluster.names("Pod").forEach(pod -> cluster.setKnob("Pod", pod, Knob.STOP_AFTER, "5s"));

    cluster.patch("Deployment", "web", NEXT_IMAGE);
    assertThat(images()).isEmpty();
    cluster.advance("5S");

    assertThat(images()).containsOnly("two").hasSize(4);
  }

  @Test
  void goingBackUsesTheOldReplicaSetAgain() {
    cluster.create(WEB.formatted(STEP_BY_STEP));
    cluster.patch("Deployment", "web", NEXT_IMAGE);
    cluster.advance("2M");

    cluster.patch("Deployment", "web", NEXT_IMAGE.replace("two", "one"));
    cluster.advance("2M");

    assertThat(images()).containsOnly("one").hasSize(4);
    assertThat(cluster.names("ReplicaSet")).hasSize(2);
    assertThat(
            cluster.text(
                "Deployment",
                "web",
                "metadata",
                "annotations",
                "deployment.kubernetes.io/revision"))
        .isEqualTo("3");
  }
}
