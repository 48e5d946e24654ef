package dev.drydock.slurm.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testbed.Ports;
import dev.drydock.testkit.CommandFixture;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SlurmCommandsTest {
  @TempDir private Path folder = Path.of("");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "slinky-drainer --unready=perhaps|invalid value \"perhaps\" for --unready: use one of wait, ignore",
        "slinky-drainer --drain-timeout=0s|--drain-timeout must be more than 0",
        "slinky-drainer --drain-timeout=soon|use a time like 90s or 1h30m",
        "slinky-drainer --pod-check-interval=0s|--pod-check-interval must be more than 0",
        "slinky-drainer --slinky-namespace=A_B|is not the name of a namespace",
        "slinky-drainer --metrics-bind-address=here|--metrics-bind-address \"here\" is not an address",
        "slinky-drainer --health-probe-bind-address=x|--health-probe-bind-address \"x\" is not an address",
        "mock-slurm --reconcile-interval=0s|--reconcile-interval must be more than 0",
        "slurm-bridge|--slurm-url",
        "slurm-bridge --slurm-url=nowhere|--slurm-url \"nowhere\" is not an address",
        "slurm-bridge --slurm-url=ftp://x|--slurm-url \"ftp://x\" is not an address",
        "slurm-bridge --slurm-url=http://x --slurm-api-version=v0.0.39|must be auto or one of v0.0.42, v0.0.41, v0.0.40",
        "slurm-bridge --slurm-url=http://x --slurm-poll-interval=0s|--slurm-poll-interval must be more than 0",
        "slurm-bridge --slurm-url=http://x --worker-selector=!|--worker-selector",
        "slurm-bridge --slurm-url=https://x --slurm-ca-file=/none|cannot read /none"
      })
  void mistakesAreSaidBeforeAnythingBegins(String line, String message) {
    CommandOutcome outcome = CommandOutcome.run(line.split(" ", -1));

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).contains(message);
  }

  /** With the flags of the originals, and their dashes. */
  @Test
  void theProcessesDrainANodeAndShowTheirHealth() throws IOException {
    int metrics = Ports.free();
    int probes = Ports.free();
    int mockProbes = Ports.free();
    try (CommandFixture fixture = CommandFixture.simulated(folder)) {
      fixture.define();
      for (String name : new String[] {"slinky", "nvsentinel"}) {
        fixture
            .client()
            .resource(new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build())
            .create();
      }
      String node = fixture.addNode();
      fixture.create(
          """
          apiVersion: v1
          kind: Pod
          metadata: {name: w1, namespace: slinky}
          spec: {nodeName: %s, containers: [{name: main, image: none}]}
          """
              .formatted(node));
      try (Running _ =
              new Running(
                  fixture,
                  "slinky-drainer",
                  "-slinky-namespace=slinky",
                  "-pod-check-interval=1s",
                  "-drain-timeout=5m",
                  "--unready=wait",
                  "-metrics-bind-address=127.0.0.1:" + metrics,
                  "-health-probe-bind-address=127.0.0.1:" + probes);
          Running _ =
              new Running(
                  fixture,
                  "mock-slurm",
                  "-reconcile-interval=1s",
                  "-health-probe-bind-address=127.0.0.1:" + mockProbes)) {
        fixture.create(
            """
            apiVersion: nvsentinel.nvidia.com/v1alpha1
            kind: DrainRequest
            metadata: {name: r, namespace: nvsentinel}
            spec: {nodeName: %s}
            """
                .formatted(node));
        fixture.eventually().until(() -> isComplete(fixture));

        // pages are there after the work has begun, and a drain is counted after it is answered
        fixture
            .eventually()
            .untilAsserted(
                () -> {
                  assertThat(page(probes, "/readyz")).startsWith("ok");
                  assertThat(page(probes, "/healthz")).startsWith("ok");
                  assertThat(page(mockProbes, "/healthz")).startsWith("ok");
                  assertThat(page(metrics, "/metrics"))
                      .contains("drydock_slinky_drains_total{outcome=\"DrainComplete\"} 1");
                });
        assertThat(page(metrics, "/healthz")).contains("404");
      }
    }
  }

  @Test
  void theBridgeIsNotReadyWithoutSlurm() throws IOException {
    int probes = Ports.free();
    try (CommandFixture fixture = CommandFixture.simulated(folder);
        Running _ =
            new Running(
                fixture,
                "slurm-bridge",
                "--slurm-url=http://127.0.0.1:1",
                "--slurm-token-file=" + folder.resolve("token"),
                "--metrics-bind-address=0",
                "--health-probe-bind-address=127.0.0.1:" + probes)) {
      fixture
          .eventually()
          .until(
              () -> page(probes, "/readyz"),
              page -> page.contains("cannot read the token file " + folder.resolve("token")));
      assertThat(page(probes, "/healthz")).startsWith("ok");
    }
  }

  private static boolean isComplete(CommandFixture fixture) {
    DrainRequest request =
        fixture
            .client()
            .resources(DrainRequest.class)
            .inNamespace("nvsentinel")
            .withName("r")
            .get();
    return request != null
        && request.getStatus() != null
        && Objects.requireNonNull(request.getStatus().conditions()).stream()
            .anyMatch(each -> each.type().equals("Complete") && each.status().equals("True"));
  }

  private static String page(int port, String path) throws IOException {
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client
          .send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
      throw new IOException(stopped);
    }
  }

  /** A command that runs until it is stopped. */
  private static final class Running implements AutoCloseable {
    private final Thread thread;
    private volatile @Nullable CommandOutcome outcome;

    Running(CommandFixture fixture, String... words) {
      thread = Thread.ofPlatform().start(() -> outcome = fixture.drydock(words));
    }

    @Override
    public void close() {
      thread.interrupt();
      try {
        thread.join();
        assertThat(Objects.requireNonNull(outcome).err()).isEmpty();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
