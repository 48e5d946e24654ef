package dev.drydock.edge.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.CommandFailure;
import dev.drydock.contracts.GoDuration;
import dev.drydock.edge.EdgeFeature;
import dev.drydock.edge.control.EdgeAgentSettings;
import dev.drydock.edge.decide.ClusterMembership;
import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.record.EdgePaths;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class EdgeAgentOptionsTest {
  private static EdgeAgentSettings settings(String... flags) {
    EdgeAgentOptions options = new EdgeAgentOptions();
    var _ =
        new CommandLine(options)
            .registerConverter(Duration.class, text -> GoDuration.find(text).orElseThrow())
            .parseArgs(flags);
    return options.settings("node-1", "cords", "me");
  }

  @Test
  void withoutFlagsItWorksAsOnEve() {
    assertThat(settings())
        .isEqualTo(
            new EdgeAgentSettings(
                "node-1",
                "",
                "cords",
                "me",
                new EdgePaths(Path.of("/run"), Path.of("/persist"), Path.of("/tmp")),
                ClusterMembership.Wanted.AUTO,
                Optional.empty(),
                true,
                true,
                true,
                Duration.ZERO,
                Duration.ofSeconds(60),
                Duration.ofSeconds(30),
                Map.of(
                    EdgeOperation.REBOOT, List.of("systemctl", "reboot"),
                    EdgeOperation.SHUTDOWN, List.of("systemctl", "halt"),
                    EdgeOperation.POWEROFF, List.of("systemctl", "poweroff"))));
    assertThat(new EdgeFeature().onlyIfNamed()).as("has to be named").isTrue();
  }

  @Test
  void everyFlagCounts() {
    assertThat(
            settings(
                "--edge-run-root=/r",
                "--edge-persist-root=/p",
                "--edge-tmp-root=/t",
                "--edge-clustered=true",
                "--edge-node-uuid=u",
                "--edge-settings=/s",
                "--edge-turns=false",
                "--edge-last-check=false",
                "--edge-on-failure=uncordon",
                "--edge-skip-wait=5m",
                "--edge-unknown-wait=1s",
                "--edge-poll=2s",
                "--edge-reboot-command=a b",
                "--edge-shutdown-command=c",
                "--edge-poweroff-command=d"))
        .isEqualTo(
            new EdgeAgentSettings(
                "node-1",
                "u",
                "cords",
                "me",
                new EdgePaths(Path.of("/r"), Path.of("/p"), Path.of("/t")),
                ClusterMembership.Wanted.YES,
                Optional.of(Path.of("/s")),
                false,
                false,
                false,
                Duration.ofMinutes(5),
                Duration.ofSeconds(1),
                Duration.ofSeconds(2),
                Map.of(
                    EdgeOperation.REBOOT, List.of("a", "b"),
                    EdgeOperation.SHUTDOWN, List.of("c"),
                    EdgeOperation.POWEROFF, List.of("d"))));
    assertThat(settings("--edge-clustered=false").clustered())
        .isEqualTo(ClusterMembership.Wanted.NO);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--edge-poll=0s",
        "--edge-clustered=no",
        "--edge-reboot-command=",
        "--edge-device-log-megabytes=0"
      })
  void whatCannotBeIsRefusedBeforeTheClusterIsContacted(String flag) {
    assertThatThrownBy(() -> settings(flag))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining(flag.substring(0, flag.indexOf('=')));
  }
}
