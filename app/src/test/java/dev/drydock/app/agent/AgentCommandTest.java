package dev.drydock.app.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.cli.CommandFailure;
import dev.drydock.edge.EdgeFeature;
import dev.drydock.lifecycle.LifecycleAgentSettings;
import dev.drydock.lifecycle.command.LifecycleAgentOptions;
import dev.drydock.lifecycle.decide.SlaPolicy;
import dev.drydock.lifecycle.driver.DriverNaming;
import dev.drydock.lifecycle.plugin.PluginServer;
import dev.drydock.serve.feature.AgentProcessOptions;
import dev.drydock.testbed.CommandOutcome;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

class AgentCommandTest {
  private static final String OLD = "lifecycle driver kubelet-plugin";

  /** As the command reads them. */
  private static <T> T options(Class<T> type, String command, String... flags) {
    List<String> all = new ArrayList<>(List.of(command.split(" ", -1)));
    all.addAll(List.of(flags));
    String[] arguments = all.toArray(String[]::new);
    ParseResult parsed = CommandOutcome.commandLine(arguments).parseArgs(arguments);
    while (parsed.hasSubcommand()) {
      parsed = parsed.subcommand();
    }
    return parsed.commandSpec().mixins().values().stream()
        .map(CommandLine.Model.CommandSpec::userObject)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst()
        .orElseThrow();
  }

  private static LifecycleAgentSettings settings(String command, String... flags) {
    return settings(Map.of(), command, flags);
  }

  private static LifecycleAgentSettings settings(
      Map<String, String> environment, String command, String... flags) {
    String node = process(command, flags).node(environment);
    return options(LifecycleAgentOptions.class, command, flags).settings(node, "cords", "me");
  }

  private static AgentProcessOptions process(String command, String... flags) {
    return options(AgentProcessOptions.class, command, flags);
  }

  private static LifecycleAgentSettings with(String flag) {
    return settings("agent", "--node-name=worker-1", flag);
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent", OLD})
  void itWorksAsDriversAlwaysDidUnlessToldOtherwise(String command) {
    LifecycleAgentSettings usual =
        new LifecycleAgentSettings(
            "worker-1",
            "cords",
            "me",
            List.of(DriverNaming.first("drain.slm.k8s.io"), DriverNaming.SECOND),
            new PluginServer.SocketFolders(
                Path.of("/var/lib/kubelet/plugins"), Path.of("/var/lib/kubelet/plugins_registry")),
            Duration.ofMinutes(5),
            Duration.ofSeconds(30),
            -1,
            50,
            100,
            SlaPolicy.STOP,
            true,
            LifecycleAgentSettings.Claims.AUTO);

    assertThat(settings(command, "--node-name=worker-1")).isEqualTo(usual);
  }

  @ParameterizedTest
  @ValueSource(strings = {"agent", OLD})
  void everyFlagCounts(String command) {
    LifecycleAgentSettings settings =
        settings(
            command,
            "--node-name=worker-2",
            "--driver-name=drain.example.com",
            "--kssd-names=false",
            "--datadir=/data",
            "--plugin-registration-path=/registry",
            "--sla=1h30m",
            "--eviction-timeout=10s",
            "--grace-period=0",
            "--kube-api-qps=7.5",
            "--kube-api-burst=8",
            "--at-sla=delete",
            "--on-cancel=keep",
            "--claimer=never");

    assertThat(settings)
        .isEqualTo(
            new LifecycleAgentSettings(
                "worker-2",
                "cords",
                "me",
                List.of(DriverNaming.first("drain.example.com")),
                new PluginServer.SocketFolders(Path.of("/data"), Path.of("/registry")),
                Duration.ofMinutes(90),
                Duration.ofSeconds(10),
                0,
                7.5,
                8,
                SlaPolicy.DELETE,
                false,
                LifecycleAgentSettings.Claims.NEVER));
  }

  @Test
  void theLaterNamesAreServedOnce() {
    assertThat(with("--kssd-names").driverNames()).hasSize(2);
    assertThat(with("--driver-name=kubectl-server-side-drain").driverNames()).hasSize(1);
  }

  @Test
  void aDriverOfTheLaterNameHasTheTransitionsOfBothGenerations() {
    assertThat(with("--driver-name=kubectl-server-side-drain").driverNames())
        .containsExactly(
            new DriverNaming(
                "kubectl-server-side-drain",
                List.of("kubectl-server-side-drain", "kssd-drain"),
                List.of(
                    "kubectl-server-side-drain-uncordon",
                    "kssd-maintenance-complete",
                    "kssd-maintenance-completed")));
  }

  @Test
  void globalFlagsMayStandBeforeTheCommand() {
    LifecycleAgentSettings settings =
        settings(
            "lifecycle driver --driver-name=a.b --grace-period 7 -v=5 --kube-api-qps=9"
                + " kubelet-plugin",
            "--node-name=worker-1",
            "--kube-api-qps=11",
            "--feature-gates=ContextualLogging=true,LoggingBetaOptions=false",
            "--logging-format=json",
            "--vmodule=x=1",
            "--log-flush-frequency=5s");

    assertThat(settings.driverNames().getFirst()).isEqualTo(DriverNaming.first("a.b"));
    assertThat(settings.gracePeriodSeconds()).isEqualTo(7);
    assertThat(settings.qps()).as("given after the command as well").isEqualTo(11);
    assertThat(process("lifecycle driver -v=5 kubelet-plugin").verbosity()).isEqualTo(5);
  }

  @Test
  void anUnknownGateIsOneLine() {
    CommandOutcome outcome =
        CommandOutcome.run(
            "lifecycle", "driver", "--feature-gates=Wings=true", "kubelet-plugin", "--node-name=n");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .startsWith("error: --feature-gates: unrecognized feature gate: Wings;")
        .hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({"300ms, 300", "1500ms, 1500", "1.5s, 1500", "5m, 300000"})
  void theTimeOfEventsIsTakenAsItIs(String text, long millis) {
    assertThat(with("--sla=" + text).sla()).isEqualTo(Duration.ofMillis(millis));
  }

  @ParameterizedTest
  @CsvSource({"stop, STOP", "continue, CONTINUE", "delete, DELETE"})
  void whatHappensWhenTheTimeIsOver(String word, SlaPolicy policy) {
    assertThat(with("--at-sla=" + word).atSla()).isEqualTo(policy);
  }

  @ParameterizedTest
  @CsvSource({"auto, AUTO", "always, ALWAYS", "never, NEVER"})
  void whoClaims(String word, LifecycleAgentSettings.Claims claims) {
    assertThat(with("--claimer=" + word).claims()).isEqualTo(claims);
  }

  @Test
  void theNodeIsThatOfTheFlagAndElseThatOfThePod() {
    Map<String, String> environment = Map.of("NODE_NAME", "of-the-pod");

    assertThat(settings(environment, "agent").node()).isEqualTo("of-the-pod");
    assertThat(settings(environment, "agent", "--node-name=of-the-flag").node())
        .isEqualTo("of-the-flag");
  }

  @Test
  void whereMetricsAreServed() {
    assertThat(process("agent").metricsAddress()).contains(new InetSocketAddress(8384));
    assertThat(process("agent", "--metrics-bind-address=127.0.0.1:9").metricsAddress())
        .contains(new InetSocketAddress(InetAddress.getLoopbackAddress(), 9));
    assertThat(process("agent", "--metrics-bind-address=0").metricsAddress()).isEmpty();
    assertThatThrownBy(() -> process("agent", "--metrics-bind-address=:x").metricsAddress())
        .isInstanceOf(CommandFailure.class)
        .hasMessageContaining("--metrics-bind-address \":x\" is not an address");
  }

  @Test
  void howMuchIsLogged() {
    assertThat(process("agent").verbosity()).isZero();
    assertThat(process("agent", "-v", "4").verbosity()).isEqualTo(4);
    assertThat(process("agent", "--v=6").verbosity()).isEqualTo(6);
  }

  @ParameterizedTest
  @CsvSource({
    "--sla=0s, --sla must be more than 0",
    "--sla=soon, --sla",
    "--eviction-timeout=0s, --eviction-timeout must be more than 0",
    "--eviction-timeout=-1s, 'invalid value \"-1s\" for --eviction-timeout'",
    "--grace-period=long, --grace-period",
    "--kube-api-qps=0, --kube-api-qps must be more than 0",
    "--kube-api-burst=0, --kube-api-burst must be at least 1",
    "--at-sla=wait, 'use one of stop, continue, delete'",
    "--on-cancel=flee, --on-cancel",
    "--claimer=maybe, --claimer",
    "--kssd-names=perhaps, --kssd-names",
    "--metrics-bind-address=here, --metrics-bind-address \"here\" is not an address",
    "--driver-name=a/b, --driver-name \"a/b\" is not a name",
    "--driver-name=, --driver-name",
    "--no-such-flag, --no-such-flag"
  })
  void aMistakeIsOneLineAndNothingStarts(String flag, String line) {
    CommandOutcome outcome =
        CommandOutcome.run("agent", "--node-name=worker-1", "--kubeconfig=/none/such", flag);

    assertThat(outcome.exitCode()).as(outcome.err()).isEqualTo(2);
    assertThat(outcome.err().lines().findFirst().orElse("")).contains(line);
    assertThat(outcome.out()).isEmpty();
  }

  /** Mistakes in the flags of a part count only if it runs. */
  @Test
  void whatRebootsTheMachineHasToBeNamed() {
    String[] wrong = {"--node-name=worker-1", "--kubeconfig=/none/such", "--edge-poll=0s"};

    assertThat(CommandOutcome.run("agent", "--parts=edge", wrong[0], wrong[1], wrong[2]).err())
        .contains("--edge-poll must be more than 0");
    assertThat(CommandOutcome.run("agent", wrong[0], wrong[1], wrong[2]).err())
        .isNotEmpty()
        .doesNotContain("--edge-poll");
    assertThat(new EdgeFeature().onlyIfNamed()).isTrue();
  }

  @Test
  void withoutANodeItSaysHowToNameOne() {
    assertThatThrownBy(() -> settings("agent"))
        .isInstanceOf(CommandFailure.class)
        .hasMessage("which node? Give --node-name, or set $NODE_NAME");
    if (System.getenv("NODE_NAME") == null) {
      assertThat(CommandOutcome.run("agent").exitCode()).isEqualTo(2);
    }
  }
}
