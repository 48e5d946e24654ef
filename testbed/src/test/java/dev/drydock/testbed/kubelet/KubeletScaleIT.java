package dev.drydock.testbed.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A larger fleet; set its size with {@code -Ddrydock.scale.nodes=1000 -Ddrydock.scale.pods=5000}.
 */
@ClusterTest
@Tag("scale")
class KubeletScaleIT {
  private static final int NODES = Integer.getInteger("drydock.scale.nodes", 200);
  private static final int PODS = Integer.getInteger("drydock.scale.pods", 1000);
  private static final Duration TIMEOUT = Duration.ofMinutes(10);

  @Test
  void manyPodsRunOnManyNodesAndEndAgain(ControlPlane cluster, TestNamespace namespace) {
    KubernetesClient client = cluster.client();
    try (TestFleet fleet = new TestFleet(cluster, namespace.name())) {
      fleet.register(NODES);
      client.resource(deployment(fleet)).create();
      var deployment = client.apps().deployments().inNamespace(namespace.name()).withName("many");

      await()
          .atMost(TIMEOUT)
          .pollInterval(Duration.ofMillis(500))
          .untilAsserted(
              () ->
                  assertThat(deployment.require().getStatus().getReadyReplicas()).isEqualTo(PODS));

      deployment.scale(0);

      await()
          .atMost(TIMEOUT)
          .pollInterval(Duration.ofMillis(500))
          .untilAsserted(
              () ->
                  assertThat(
                          client
                              .pods()
                              .inNamespace(namespace.name())
                              .list(new ListOptionsBuilder().withLimit(1L).build())
                              .getItems())
                      .isEmpty());
      assertThat(client.nodes().withLabel("fleet", fleet.id).list().getItems())
          .hasSize(NODES)
          .allSatisfy(
              node ->
                  assertThat(node.getStatus().getConditions())
                      .filteredOn(condition -> condition.getType().equals("Ready"))
                      .allMatch(condition -> condition.getStatus().equals("True")));
    }
  }

  private static Deployment deployment(TestFleet fleet) {
    Map<String, String> labels = Map.of("app", "many");
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("many")
        .withNamespace(fleet.namespace)
        .endMetadata()
        .withNewSpec()
        .withReplicas(PODS)
        .withSelector(new LabelSelectorBuilder().withMatchLabels(labels).build())
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(labels)
        .endMetadata()
        .withSpec(
            new PodBuilder(fleet.template("unused"))
                .editSpec()
                .addToNodeSelector("fleet", fleet.id)
                .endSpec()
                .build()
                .getSpec())
        .endTemplate()
        .endSpec()
        .build();
  }
}
