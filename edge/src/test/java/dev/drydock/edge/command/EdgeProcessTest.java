package dev.drydock.edge.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.GoDuration;
import dev.drydock.edge.EdgeFixture;
import dev.drydock.kube.Kube;
import dev.drydock.serve.feature.AgentContext;
import dev.drydock.serve.feature.AgentRole;
import dev.drydock.testkit.Eventually;
import dev.drydock.testkit.TestCluster;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The agent as it runs on a machine that has no API server. */
class EdgeProcessTest {
  @TempDir private Path folder;

  private EdgeAgentOptions options() {
    EdgeAgentOptions options = new EdgeAgentOptions();
    var _ =
        new CommandLine(options)
            .registerConverter(Duration.class, text -> GoDuration.find(text).orElseThrow())
            .parseArgs(
                "--edge-run-root=" + folder.resolve("run"),
                "--edge-persist-root=" + folder.resolve("persist"),
                "--edge-tmp-root=" + folder.resolve("tmp"),
                "--edge-clustered=false",
                "--edge-device-log=" + folder.resolve("newlog"));
    return options;
  }

  private void run() throws IOException {
    try (TestCluster cluster = TestCluster.simulated();
        Kube kube = NoServer.kube();
        AgentRole.Running _ =
            options()
                .start(
                    new AgentContext(
                        kube,
                        cluster.client(),
                        "node",
                        "drydock-system",
                        EdgeFixture.AGENT,
                        new SimpleMeterRegistry()))) {
      Eventually.inRealTime()
          .untilAsserted(
              () ->
                  assertThat(folder.resolve("run/zedkube/NodeDrainStatus/global.json"))
                      .hasContent("{\"Status\":1,\"RequestedBy\":1}"));
    }
  }

  @Test
  void itPublishesItsStatusAndWritesADeviceLog() throws IOException {
    run();

    assertThat(folder.resolve("newlog/collect")).isDirectory();
  }

  @Test
  void theDeviceLogIsLeftToNewlogd() throws IOException {
    Files.createDirectories(folder.resolve("run"));
    Files.writeString(folder.resolve("run/newlogd.pid"), "1");
    run();

    assertThat(folder.resolve("newlog")).doesNotExist();
  }
}
