package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.SimulatedCluster.Settings;
import dev.drydock.sim.kubelet.Knob;
import dev.drydock.sim.kubelet.KubeletKnobs;
import dev.drydock.sim.kubelet.NodeTemplate;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The whole cluster in real time, as programs see it over HTTP. */
class RunningClusterTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private static Deployment web() {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withName("web")
        .withNamespace("default")
        .endMetadata()
        .withNewSpec()
        .withReplicas(3)
        .withNewSelector()
        .withMatchLabels(Map.of("app", "web"))
        .endSelector()
        .withNewTemplate()
        .withNewMetadata()
        .withLabels(Map.of("app", "web"))
        .endMetadata()
        .withNewSpec()
        .addNewContainer()
        .withName("main")
        .withImage("none")
        .endContainer()
        .endSpec()
        .endTemplate()
        .endSpec()
        .build();
  }

  @Test
  void timersRunByThemselvesAndAClientSeesWhatTheyDo() throws IOException {
    KubeletKnobs slow =
        KubeletKnobs.NONE.with(Knob.READY_AFTER, "200ms").with(Knob.STOP_AFTER, "200ms");
    try (SimulatedCluster cluster = SimulatedCluster.running(Settings.defaults().withKnobs(slow));
        KubernetesClient client =
            new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(cluster.kubeconfig()))
                .build()) {
      cluster.addNodes(3, "node-", NodeTemplate.DEFAULT);
      client.resource(web()).create();
      await().atMost(TIMEOUT).until(() -> readyPods(client).size() == 3);
      Pod evicted = readyPods(client).getFirst();

      assertThat(client.pods().resource(evicted).evict()).isTrue();

      await().atMost(TIMEOUT).until(() -> client.pods().resource(evicted).get() == null);
      await().atMost(TIMEOUT).until(() -> readyPods(client).size() == 3);
    }
  }

  private static List<Pod> readyPods(KubernetesClient client) {
    return client.pods().inNamespace("default").list().getItems().stream()
        .filter(Readiness::isPodReady)
        .toList();
  }
}
