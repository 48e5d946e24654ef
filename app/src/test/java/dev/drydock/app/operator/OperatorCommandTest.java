package dev.drydock.app.operator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.app.DrydockTest;
import dev.drydock.app.DrydockTest.Outcome;
import dev.drydock.serve.feature.Setting;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class OperatorCommandTest {
  @TempDir private Path folder;

  private Outcome print(Map<String, String> environment, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--print-config");
    OperatorCommand command = new OperatorCommand(environment, folder.resolve("none"));
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        new CommandLine(command)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(all.toArray(String[]::new));
    return new Outcome(exitCode, out.toString(), err.toString());
  }

  @Test
  void itPrintsWhatCountsAndWhy() throws IOException {
    Path file = Files.writeString(folder.resolve("c.yaml"), "slaPeriod: 6h\n");

    Outcome outcome =
        print(
            Map.of("DRYDOCK_SYNC_PERIOD", "1h"),
            "--config=" + file,
            "--metrics-port",
            "8384",
            "--health-probe-bind-address=:8082",
            "--leader-elect=false",
            "--metrics-per-object");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .contains("slaPeriod: 6h # " + file)
        .contains("syncPeriod: 1h # DRYDOCK_SYNC_PERIOD")
        .contains("leaderElect: false # --leader-elect")
        .contains("metrics:\n  enabled: true # default\n  port: 8384 # --metrics-port")
        .contains("perObject: true # --metrics-per-object")
        .contains("health:\n  bindAddress: \":8082\" # --health-bind-address")
        .contains("enabled: true # default");
  }

  @Test
  void helpNamesTheNamespaceThatItRunsIn() {
    for (String[] command :
        List.of(
            new String[] {"operator", "--help"},
            new String[] {"agent", "--help"},
            new String[] {"lifecycle", "driver", "kubelet-plugin", "--help"})) {
      assertThat(DrydockTest.run(command).out().replaceAll("\\s+", " "))
          .contains("The namespace to work in. Default: $NAMESPACE, then drydock-system.")
          .doesNotContain("the context's");
    }
    assertThat(DrydockTest.run("drain", "--help").out().replaceAll("\\s+", " "))
        .contains("The namespace to work in. Default: the context's.");
  }

  @Test
  void helpSaysWhichPartReleasesHolds() {
    assertThat(DrydockTest.run("operator", "--help").out().replaceAll("\\s+", " "))
        .contains(
            "Only an operator that also runs part drain releases holds that expire or lose their owner.")
        .doesNotContain("see below");
  }

  @Test
  void aSwitchDoesNotTakeTheNextWord() {
    Outcome outcome = print(Map.of(), "--leader-elect", "--metrics-tls", "--webhook-port", "1");

    assertThat(outcome.out())
        .contains("leaderElect: true # --leader-elect")
        .contains("tls: true # --metrics-tls")
        .contains("port: 1 # --webhook-port");
  }

  @Test
  void flagsMayHaveOneDash() {
    Outcome outcome =
        print(
            Map.of(),
            "-metrics-port",
            "8385",
            "-leader-elect=false",
            "-health-probe-bind-address=:8082",
            "-sync-period=2h",
            "-zap-devel",
            "--zap-log-level=debug",
            "-zap-encoder",
            "json");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out())
        .contains("port: 8385 # --metrics-port")
        .contains("leaderElect: false # --leader-elect")
        .contains("bindAddress: \":8082\" # --health-bind-address")
        .contains("syncPeriod: 2h # --sync-period");
    assertThat(DrydockTest.run("operator", "-help").out()).contains("--metrics-port");
    assertThat(DrydockTest.run("operator", "-wings").exitCode()).isEqualTo(2);
  }

  @Test
  void mistakesAreOneLineAndWrongUsage() {
    Outcome wrong = DrydockTest.run("operator", "--print-config", "--sla-period=soon");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err())
        .isEqualTo(
            "error: --sla-period: \"soon\" should be a duration greater than 0, such as 5h or 1h30m\n");

    Outcome folderOfNothing =
        DrydockTest.run("operator", "--config", folder.resolve("none.yaml").toString());
    assertThat(folderOfNothing.exitCode()).isEqualTo(2);
    assertThat(folderOfNothing.err()).contains("none.yaml: no such file");
  }

  @Test
  void everySettingIsInTheHelp() {
    String help = DrydockTest.run("operator", "--help").out();

    for (Setting<?> key : ConfigReader.known()) {
      assertThat(help).contains(key.flag());
    }
  }

  @Test
  void onlyTheNamedPartsCount() {
    Outcome lifecycle = print(Map.of(), "--parts", "lifecycle");
    assertThat(lifecycle.exitCode()).as(lifecycle.err()).isZero();
    assertThat(lifecycle.out())
        .contains("unclaimedAfter: 5m # default", "leaderElect: true")
        .doesNotContain("slaPeriod", "drainRequests");

    Outcome wrong = DrydockTest.run("operator", "--print-config", "--parts=drain,lifecycel");
    assertThat(wrong.exitCode()).isEqualTo(2);
    assertThat(wrong.err())
        .isEqualTo("error: --parts: there is no part \"lifecycel\"; did you mean \"lifecycle\"?\n");
  }
}
