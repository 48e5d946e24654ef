package dev.drydock.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.sim.kubelet.SimulatedKubelets;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.dsl.PodResource;
import io.fabric8.kubernetes.client.readiness.Readiness;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The test cluster's kubelets, with their informers, Leases and knobs, on the simulation. */
class SimulatedKubeletsTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  @Test
  void aPodRunsAndGoesWhenItIsEvicted() throws IOException {
    try (SimulatedApiServer server =
            SimulatedApiServer.start(SimulatedApiServer.Options.defaults());
        KubernetesClient client =
            new KubernetesClientBuilder()
                .withConfig(Config.fromKubeconfig(server.kubeconfig()))
                .build();
        SimulatedKubelets kubelets = SimulatedKubelets.start(client)) {
      String node = kubelets.register(3, "node").getFirst();
      PodResource pod = client.pods().inNamespace("default").withName("web");
      client.resource(podOn(node)).create();
      await().atMost(TIMEOUT).until(() -> Readiness.isPodReady(pod.get()));

      assertThat(pod.evict()).isTrue();

      await().atMost(TIMEOUT).until(() -> pod.get() == null);
    }
  }

  private static Pod podOn(String node) {
    return new PodBuilder()
        .withNewMetadata()
        .withName("web")
        .withNamespace("default")
        .endMetadata()
        .withNewSpec()
        .withNodeName(node)
        .addNewContainer()
        .withName("main")
        .withImage("none")
        .endContainer()
        .endSpec()
        .build();
  }
}
