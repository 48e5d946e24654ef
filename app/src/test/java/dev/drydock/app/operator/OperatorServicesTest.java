package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.SimulatedCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperatorServicesTest {
  private final SimulatedCluster cluster =
      SimulatedCluster.running(SimulatedCluster.Settings.usual());
  private final KubernetesClient client;

  OperatorServicesTest() throws IOException {
    client =
        new KubernetesClientBuilder()
            .withConfig(Config.fromKubeconfig(cluster.kubeconfig()))
            .build();
  }

  @AfterEach
  void stop() {
    client.close();
    cluster.close();
  }

  private static OperatorConfig config(ConfigKey key, String value) {
    Map<ConfigKey, String> flags =
        new EnumMap<>(
            Map.of(
                ConfigKey.METRICS_PORT,
                "0",
                ConfigKey.METRICS_TLS,
                "false",
                ConfigKey.WEBHOOK_ENABLED,
                "false",
                ConfigKey.HEALTH_BIND_ADDRESS,
                "127.0.0.1:0"));
    flags.put(key, value);
    return ConfigReader.read(
            new ConfigReader.Given(flags, Map.of(), Optional.empty(), Path.of("none")))
        .config();
  }

  @Test
  void everySyncPeriodEverythingIsLookedAtAgain() throws InterruptedException {
    CountDownLatch looks = new CountDownLatch(3);
    try (OperatorServices services =
        new OperatorServices(
            client, "default", config(ConfigKey.SYNC_PERIOD, "10ms"), () -> true)) {
      services.onSync(looks::countDown);
      services.start();

      assertThat(looks.await(30, TimeUnit.SECONDS)).isTrue();
    }
  }
}
