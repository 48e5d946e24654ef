package dev.drydock.slingshot.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.CommandFailure;
import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.contracts.cxi.CXIDriverSpec.SharingMode;
import dev.drydock.slingshot.deviceplugin.DevicePlugin;
import dev.drydock.slingshot.metrics.MetricsExporter;
import dev.drydock.slingshot.node.HostRoots;
import dev.drydock.slingshot.retry.HandlerLauncher;
import dev.drydock.testbed.CommandOutcome;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine.ParseResult;

/** The flags and variables of the programs on nodes. */
class NodeProgramCommandsTest {
  private static <T> T command(Class<T> type, String... words) {
    String[] all = Stream.concat(Stream.of("cxi"), Stream.of(words)).toArray(String[]::new);
    ParseResult result = CommandOutcome.commandLine(all).parseArgs(all);
    return type.cast(result.subcommand().subcommand().commandSpec().userObject());
  }

  private static DevicePlugin.Settings plugin(Map<String, String> environment, String... flags) {
    String[] words =
        Stream.concat(Stream.of("device-plugin"), Stream.of(flags)).toArray(String[]::new);
    return command(DevicePluginCommand.class, words).settings(environment);
  }

  @Test
  void thePluginsDefaults() {
    assertThat(plugin(Map.of()))
        .isEqualTo(
            new DevicePlugin.Settings(
                "hpe.com/cxi",
                SharingMode.shared,
                100,
                true,
                Path.of("/var/lib/kubelet/device-plugins"),
                HostRoots.below(Path.of("/")),
                Duration.ofSeconds(10),
                Duration.ofSeconds(30)));
  }

  @Test
  void thePluginReadsItsVariablesAndFlagsWin() {
    Map<String, String> environment =
        Map.of(
            "RESOURCE_NAME",
            "example.com/nic",
            "SHARING_MODE",
            "exclusive",
            "SHARED_CAPACITY",
            "7");
    assertThat(plugin(environment))
        .satisfies(
            settings -> {
              assertThat(settings.resource()).isEqualTo("example.com/nic");
              assertThat(settings.mode()).isEqualTo(SharingMode.exclusive);
              assertThat(settings.capacity()).isEqualTo(7);
            });
    assertThat(
            plugin(
                environment,
                "--resource-name=hpe.com/other",
                "--sharing-mode=shared",
                "--shared-capacity=3",
                "--numa-hints=false",
                "--kubelet-folder=/k",
                "--poll-interval=1s",
                "--link-hysteresis=0s",
                "--host-root=/machine",
                "--sys-root=/s",
                "--proc-root=/p",
                "--dev-root=/d",
                "--run-root=/r"))
        .isEqualTo(
            new DevicePlugin.Settings(
                "hpe.com/other",
                SharingMode.shared,
                3,
                false,
                Path.of("/k"),
                new HostRoots(
                    Path.of("/s"),
                    Path.of("/p"),
                    Path.of("/d"),
                    Path.of("/machine/lib/modules"),
                    Path.of("/machine/usr/src"),
                    Path.of("/r")),
                Duration.ofSeconds(1),
                Duration.ZERO));
  }

  @ParameterizedTest
  @CsvSource({
    "--resource-name=cxi, is not a name of an extended resource",
    "--resource-name=kubernetes.io/cxi, is not a name of an extended resource",
    "--resource-name=x.kubernetes.io/cxi, is not a name of an extended resource",
    "--resource-name=requests.hpe.com/cxi, is not a name of an extended resource",
    "--resource-name=hpe.com/-, is not a name of an extended resource",
    "--sharing-mode=both, neither shared nor exclusive",
    "--shared-capacity=0, is not a number from 1 to 10000",
    "--shared-capacity=10001, is not a number from 1 to 10000",
    "--shared-capacity=many, is not a number from 1 to 10000",
    "--poll-interval=0s, --poll-interval must be more than 0"
  })
  void thePluginRefusesWhatItCannotDo(String flag, String message) {
    CommandOutcome outcome = CommandOutcome.run("cxi", "device-plugin", flag);

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("error: ").contains(message).hasLineCount(1);
  }

  @Test
  void theHandlersCommandLineIsTheVendors() {
    RetryHandlerCommand command =
        command(
            RetryHandlerCommand.class,
            "retry-handler",
            "--discover=cxi1,cxi0,cxi1",
            "--cxi-rh-path=/opt/cxi_rh",
            "--cxi-rh-conf=/etc/rh.conf",
            "--cxi-rh-root=/host");

    HandlerLauncher launcher = command.launcher();

    assertThat(command.named()).containsExactly("cxi1", "cxi0");
    List<String> words = launcher.command("cxi1", CrashAction.restart);
    assertThat(words.subList(words.indexOf("chroot"), words.size()))
        .containsExactly(
            "chroot",
            "/host",
            "/opt/cxi_rh",
            "--device=cxi1",
            "--log-stdout",
            "--conf=/etc/rh.conf");
    assertThat(launcher.statistics("cxi1")).isEqualTo(Path.of("/host/run/cxi/cxi1"));
    assertThat(launcher.lock("cxi1")).isEqualTo(Path.of("/run/cxi/cxi1.lock"));
  }

  @Test
  void byDefaultAllDevicesHaveAHandler() {
    assertThat(command(RetryHandlerCommand.class, "retry-handler", "--discover=auto").named())
        .isEmpty();
    assertThat(command(RetryHandlerCommand.class, "retry-handler").launcher())
        .isEqualTo(
            new HandlerLauncher(
                HostRoots.below(Path.of("/")),
                Path.of("/usr/bin/cxi_rh"),
                Optional.empty(),
                Optional.empty()));
  }

  @ParameterizedTest
  @CsvSource({
    "--discover=/dev/cxi0, '\"/dev/cxi0\" is not a device; write it like cxi0'",
    "--discover=cxi, '\"cxi\" is not a device; write it like cxi0'",
    "--device=cxi0, --device belongs to --mode=single",
    "--mode=single, --mode=single needs --device",
    "--mode=both, --mode",
    "--on-crash=reboot, --on-crash",
    "--cxi-rh-path=cxi_rh, is not an absolute path",
    "--poll-interval=0s, --poll-interval must be more than 0"
  })
  void theRetryHandlerRefusesWhatItCannotDo(String flag, String message) {
    CommandOutcome outcome = CommandOutcome.run("cxi", "retry-handler", flag);

    assertThat(outcome.exitCode()).isEqualTo(2);
    assertThat(outcome.err()).startsWith("error: ").contains(message).hasLineCount(1);
  }

  @Test
  void aHandlerForADeviceThatIsNotThereFails() {
    CommandOutcome outcome =
        CommandOutcome.run(
            "cxi", "retry-handler", "--mode=single", "--device=cxi0", "--host-root=/nowhere");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .isEqualTo("error: /nowhere/dev/cxi0 does not exist: is the driver loaded?\n");
  }

  private static MetricsExporter.Settings exporter(
      Map<String, String> environment, String... flags) {
    String[] words =
        Stream.concat(Stream.of("metrics-exporter"), Stream.of(flags)).toArray(String[]::new);
    return command(MetricsExporterCommand.class, words).settings(environment);
  }

  @Test
  void theExportersDefaults() {
    assertThat(exporter(Map.of("NODE_NAME", "node1")))
        .isEqualTo(
            new MetricsExporter.Settings(
                "node1",
                HostRoots.below(Path.of("/")),
                Duration.ofSeconds(15),
                Optional.of(URI.create("http://localhost:8080"))));
    assertThat(exporter(Map.of()).node()).as("the host's name").isNotBlank();
  }

  @Test
  void theExportersFlags() {
    assertThat(
            exporter(
                Map.of("NODE_NAME", "node1"),
                "--node-name=node2",
                "--scrape-interval=1s",
                "--retry-handler-url=",
                "--host-root=/machine"))
        .isEqualTo(
            new MetricsExporter.Settings(
                "node2",
                HostRoots.below(Path.of("/machine")),
                Duration.ofSeconds(1),
                Optional.empty()));
  }

  @Test
  void theExporterRefusesWhatItCannotDo() {
    assertThatThrownBy(() -> exporter(Map.of(), "--scrape-interval=0s"))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("--scrape-interval must be more than 0");
    assertThatThrownBy(() -> exporter(Map.of(), "--retry-handler-url=localhost:8080"))
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("write it like http://localhost:8080");
  }
}
