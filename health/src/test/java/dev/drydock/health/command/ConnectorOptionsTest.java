package dev.drydock.health.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.CommandFailure;
import dev.drydock.contracts.GoDuration;
import dev.drydock.health.connector.ConnectorSettings;
import dev.drydock.health.connector.EventIntake;
import dev.drydock.health.connector.FakeApi;
import dev.drydock.health.ingest.CentralIngest;
import dev.drydock.health.store.EventQuery;
import dev.drydock.health.store.StoredEvent;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.kube.Kube;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.serve.feature.AgentContext;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.serve.socket.TcpChannels;
import dev.drydock.serve.socket.TcpServer;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testbed.Ports;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.TestCluster;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The connector as its flags, variables and files make it. */
class ConnectorOptionsTest {
  private static final String NODE = "node-1";

  @TempDir private Path folder;

  private static ConnectorOptions options(Map<String, String> environment, String... flags) {
    ConnectorOptions options = new ConnectorOptions(environment);
    var _ =
        new CommandLine(options)
            .registerConverter(Duration.class, text -> GoDuration.find(text).orElseThrow())
            .parseArgs(flags);
    return options;
  }

  @Test
  void flagsAndTheOriginalsVariablesSayWhereEventsGo() {
    ConnectorSettings byVariable =
        options(
                Map.of(
                    "HEALTH_PUBLISH_TARGET", "ingest:1",
                    "HEALTH_PUBLISH_TLS_CA_FILE", "/ca",
                    "HEALTH_PUBLISH_TLS_SERVER_NAME", "name",
                    "HEALTH_PUBLISH_TOKEN_PATH", "/token",
                    "PLATFORM_CONNECTOR_TOKEN_PATH", "/page"))
            .settings();
    assertThat(byVariable.target().address()).isEqualTo("ingest:1");
    assertThat(byVariable.target().tls())
        .contains(new TcpChannels.Tls(Optional.of(Path.of("/ca")), Optional.of("name")));
    assertThat(byVariable.target().tokenFile()).contains(Path.of("/token"));
    assertThat(byVariable.pageToken()).contains(Path.of("/page"));

    ConnectorSettings byFlag =
        options(
                Map.of("HEALTH_PUBLISH_TARGET", "ingest:1"),
                "--ingest-target=other:2",
                "--ingest-ca-file=/ca2",
                "--ingest-server-name=name2",
                "--ingest-token-file=/token2",
                "--connector-socket=/run/s.sock",
                "--connector-spool=/spool",
                "--connector-spool-max-bytes=65536",
                "--connector-spool-max-age=5m",
                "--event-http-address=127.0.0.1:1")
            .settings();
    assertThat(byFlag.target().address()).isEqualTo("other:2");
    assertThat(byFlag.target().tls())
        .contains(new TcpChannels.Tls(Optional.of(Path.of("/ca2")), Optional.of("name2")));
    assertThat(byFlag.target().tokenFile()).contains(Path.of("/token2"));
    assertThat(byFlag.socket()).isEqualTo(Path.of("/run/s.sock"));
    assertThat(byFlag.spoolFolder()).isEqualTo(Path.of("/spool"));
    assertThat(byFlag.limits().maxBytes()).isEqualTo(65536);
    assertThat(byFlag.limits().maxAge()).isEqualTo(Duration.ofMinutes(5));
    assertThat(byFlag.page()).contains(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));

    assertThat(options(Map.of("HEALTH_PUBLISH_INSECURE", "true")).settings().target().tls())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --connector-spool-max-bytes=1 | at least 65536
          --event-http-address=nowhere | is not an address
          --connector-config=/nowhere/config.json | cannot read /nowhere/config.json
          """)
  void aFlagThatCannotBeMeantIsNamed(String flag, String message) {
    assertThatThrownBy(() -> options(Map.of(), flag).check())
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(message);
  }

  private Path config(String transformer, String file, String text) throws IOException {
    Path settings = Files.writeString(folder.resolve(file), text);
    return Files.writeString(
        folder.resolve("config.json"),
        """
        {
          "enableNodeBindingAuth": "false",
          "pipeline": [{"name": "%s", "enabled": true, "config": "%s"}]
        }
        """
            .formatted(transformer, settings));
  }

  @Test
  void aBrokenFileKeepsTheConnectorFromStartingAndIsNamed() throws IOException {
    Path json = Files.writeString(folder.resolve("broken.json"), "{\n  \"pipeline\": [\n");
    CommandOutcome syntax =
        CommandOutcome.run(
            "connector",
            "--node-name",
            NODE,
            "--socket",
            folder.resolve("s").toString(),
            "--config",
            json.toString());
    assertThat(syntax.exitCode()).isNotZero();
    assertThat(syntax.err()).contains("broken.json, line 3");

    Path toml =
        config("Deduplicator", "dedup.toml", "suppressionWindow = \"3m\"\nincludeChecks = [");
    assertThatThrownBy(() -> start("--connector-config=" + toml).close())
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("dedup.toml, line 2");

    Path cel =
        config(
            "OverrideTransformer",
            "overrides.toml",
            """
            enabled = true
            [[rules]]
            name = "first"
            when = "event.agent =="
            override = { isFatal = false }
            """);
    assertThatThrownBy(() -> start("--connector-config=" + cel).close())
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("overrides.toml")
        .hasMessageContaining("first");
  }

  private AgentRole.Running start(String... flags) throws IOException {
    try (TestCluster cluster = TestCluster.simulated();
        Kube kube = new FakeApi().kube()) {
      return options(Map.of(), flags)
          .start(
              new AgentContext(
                  kube, cluster.client(), NODE, "nvsentinel", "me", new SimpleMeterRegistry()));
    }
  }

  @Test
  void injectedEventsComeToTheStoreAndTheStoreIsBackedUpAndRestored() throws IOException {
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    int page = Ports.free();
    Path stored = folder.resolve("store");
    Path file =
        Files.writeString(
            folder.resolve("events.json"),
            """
            [{"agent": "nic-monitor", "checkName": "LinkDown", "recommendedAction": 15, "isFatal": true},
             {"agent": "nic-monitor", "checkName": "LinkDown", "isHealthy": true}]
            """);
    try (TestCluster cluster = TestCluster.simulated();
        Kube kube = new FakeApi().kube();
        EmbeddedStore store = EmbeddedStore.open(stored, TimeSource.REAL);
        TcpServer central =
            TcpServer.listen(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Optional.empty(),
                new TcpServer.Limits(
                    1 << 20, Duration.ofMinutes(10), Duration.ofMinutes(5), Duration.ofSeconds(1)),
                List.of(CentralIngest.unchecked(store, EventIntake.PLAIN, meters).service()));
        AgentRole.Running running =
            options(
                    Map.of(),
                    "--connector-socket=" + folder.resolve("c.sock"),
                    "--connector-spool=" + folder.resolve("spool"),
                    "--ingest-target=127.0.0.1:" + central.port(),
                    "--ingest-insecure",
                    "--event-http-address=127.0.0.1:" + page)
                .start(
                    new AgentContext(kube, cluster.client(), NODE, "nvsentinel", "me", meters))) {
      assertThat(running.unready()).isEmpty();
      String url = "http://127.0.0.1:%d/health-event".formatted(page);

      assertThat(CommandOutcome.run("inject", NODE, "--url", url).out())
          .contains("sent: GpuXidError of node node-1 is unhealthy");
      assertThat(CommandOutcome.run("inject", NODE, "--healthy", "--url", url).exitCode()).isZero();
      assertThat(CommandOutcome.run("inject", NODE, "-f", file.toString(), "--url", url).out())
          .contains("LinkDown of node node-1 is unhealthy", "LinkDown of node node-1 is healthy");
      assertThat(CommandOutcome.run("inject", "node-2", "--url", url).err())
          .as("about another node, without a token")
          .contains("did not take the event", "PERMISSION_DENIED");

      List<StoredEvent> all =
          Eventually.inRealTime()
              .until(() -> store.query(EventQuery.ALL), some -> some.size() == 4);
      assertThat(all)
          .extracting(each -> each.event().checkName())
          .containsExactly("GpuXidError", "GpuXidError", "LinkDown", "LinkDown");

      Path copy = folder.resolve("copy.db");
      assertThat(
              CommandOutcome.run("health", "backup", copy.toString(), "--folder", stored.toString())
                  .out())
          .contains("copied 4 events to " + copy);
      assertThat(CommandOutcome.run("inject", NODE, "--url", url).exitCode()).isZero();
      Eventually.inRealTime().until(() -> store.count() == 5);
      assertThat(
              CommandOutcome.run(
                      "health", "restore", copy.toString(), "--folder", stored.toString())
                  .out())
          .contains("restored 4 events from " + copy);
      assertThat(store.query(EventQuery.ALL)).hasSize(4);
      assertThat(
              CommandOutcome.run("health", "backup", copy.toString(), "--folder", "/nowhere").err())
          .contains("there is no event store in /nowhere");
    }
  }
}
