package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.drydock.kube.RequestInterceptor;
import dev.drydock.serve.feature.CoreSettings;
import dev.drydock.serve.feature.Feature;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.OperatorContext;
import dev.drydock.serve.feature.OperatorPart;
import dev.drydock.serve.feature.Setting;
import dev.drydock.serve.feature.Settings;
import dev.drydock.sim.SimulatedCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class OperatorServicesTest {
  private final SimulatedCluster cluster =
      SimulatedCluster.running(SimulatedCluster.Settings.defaults());
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

  private static Settings settings(Features features, Map<Setting<?>, String> more) {
    Map<Setting<?>, String> flags =
        new HashMap<>(
            Map.of(
                CoreSettings.METRICS_PORT,
                "0",
                CoreSettings.METRICS_TLS,
                "false",
                CoreSettings.WEBHOOK_ENABLED,
                "false",
                CoreSettings.HEALTH_BIND_ADDRESS,
                "127.0.0.1:0"));
    flags.putAll(more);
    return ConfigReader.read(
            new ConfigReader.Given(flags, Map.of(), Optional.empty(), Path.of("none")),
            features,
            features)
        .settings();
  }

  /** A part has only its own settings, whatever other parts it shares things with. */
  @Test
  void everyPartCanLeadAlone() {
    for (String part : Features.load().parts()) {
      Features alone = Features.load().only(List.of(part));
      try (Operator operator =
          new Operator(
              new Operator.Setup(
                  client,
                  RequestInterceptor.NONE,
                  "default",
                  "test",
                  ConfigReader.defaults(alone),
                  alone))) {
        operator.lead();
        assertThat(operator.isLeading()).as(part).isTrue();
      }
    }
  }

  /** Counts the steps of a loop that nothing else wakes. */
  private record Looking(CountDownLatch looks) implements Feature {
    @Override
    public String part() {
      return "looking";
    }

    @Override
    public String summary() {
      return "counts";
    }

    @Override
    public OperatorPart operator(OperatorContext context) {
      return new OperatorPart() {
        @Override
        public void start() {
          context
              .kube()
              .loop(
                  "looking",
                  () -> {
                    looks.countDown();
                    return Instant.MAX;
                  })
              .wake();
        }
      };
    }
  }

  /** Its port is not taken either: another process may have it. */
  @Test
  void withoutMetricsNothingListensForThem() throws IOException {
    try (ServerSocket other = new ServerSocket(0)) {
      Features features = new Features(List.of(new Looking(new CountDownLatch(1))));
      Operator.Setup setup =
          new Operator.Setup(
              client,
              RequestInterceptor.NONE,
              "default",
              "test",
              settings(
                  features,
                  Map.of(
                      CoreSettings.METRICS_ENABLED,
                      "false",
                      CoreSettings.METRICS_PORT,
                      Integer.toString(other.getLocalPort()))),
              features);
      try (Operator operator = new Operator(setup);
          OperatorServices services = new OperatorServices(operator)) {
        assertThatCode(services::start).doesNotThrowAnyException();
      }
    }
  }

  @Test
  void everySyncPeriodEverythingIsLookedAtAgain() throws InterruptedException {
    CountDownLatch looks = new CountDownLatch(3);
    Features features = new Features(List.of(new Looking(looks)));
    Operator.Setup setup =
        new Operator.Setup(
            client,
            RequestInterceptor.NONE,
            "default",
            "test",
            settings(features, Map.of(CoreSettings.SYNC_PERIOD, "10ms")),
            features);
    try (Operator operator = new Operator(setup);
        OperatorServices services = new OperatorServices(operator)) {
      services.start();

      assertThat(looks.await(2, TimeUnit.MINUTES)).isTrue();
    }
  }
}
