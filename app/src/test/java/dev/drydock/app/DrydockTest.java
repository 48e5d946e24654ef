package dev.drydock.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

public class DrydockTest {
  public record Outcome(int exitCode, String out, String err) {}

  @Test
  void withoutArgumentsItTellsWhatItCanDo() {
    Outcome outcome = run();

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("version", "check", "completion", "help", "Exit codes");
    assertThat(outcome.out()).isEqualTo(run("--help").out());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "version",
        "check",
        "completion",
        "plan",
        "drain",
        "cordon",
        "uncordon",
        "holds",
        "operator",
        "maintain",
        "status",
        "history",
        "stop",
        "resume",
        "crds"
      })
  void everyCommandHasHelp(String command) {
    Outcome outcome = run(command, "--help");

    assertThat(outcome.exitCode()).isZero();
    assertThat(outcome.out()).contains("Usage: drydock " + command, "--help");
    assertThat(run("help", command).out()).isEqualTo(outcome.out());
  }

  @Test
  void everyCommandSaysWhatItIsForInOneLineThatFitsATerminal() {
    assertThat(run("--help").out().lines())
        .filteredOn(line -> line.matches("  [a-z]+  .*"))
        .hasSizeGreaterThan(15)
        .allSatisfy(line -> assertThat(line).endsWith(".").hasSizeLessThanOrEqualTo(80));
    for (String group : List.of("campaign", "cluster")) {
      String help = run(group, "--help").out();
      assertThat(help.substring(help.indexOf("Commands:")).lines().skip(1))
          .allSatisfy(line -> assertThat(line).endsWith(".").hasSizeLessThanOrEqualTo(80));
    }
  }

  @Test
  void theVersionIsThatOfTheBuild() {
    assertThat(run("version").out()).matches("Client Version: v\\d+\\.\\d+\\.\\d+\\S*\\s+");
  }

  @Test
  void theWideVersionNamesJavaAndThePlatform() {
    assertThat(run("version", "-o", "wide").out())
        .contains("Client Version: v", "Java Version: " + Runtime.version(), "Platform: ");
  }

  @Test
  void programsReadTheVersionAsJsonOrYaml() throws IOException {
    JsonNode json = new ObjectMapper().readTree(run("version", "-o", "json").out());
    JsonNode yaml = new YAMLMapper().readTree(run("version", "-o", "yaml").out());

    assertThat(json.fieldNames())
        .toIterable()
        .containsExactly("version", "commit", "java", "platform");
    assertThat(json.path("commit").asText()).matches("[0-9a-f]{40}|unknown");
    assertThat(yaml).isEqualTo(json);
  }

  @Test
  void aTypoIsAnsweredWithTheNearestCommand() {
    assertThat(run("versoin"))
        .isEqualTo(
            new Outcome(
                2,
                "",
                "error: unknown command \"versoin\" for \"drydock\" (did you mean \"version\"?);"
                    + " see 'drydock --help'"
                    + System.lineSeparator()));
  }

  @Test
  void versionRefusesToNameACluster() {
    assertThat(run("--context", "x", "version").exitCode()).isEqualTo(2);
  }

  @Test
  void completionKnowsTheCommands() {
    assertThat(run("__complete", "ver").out().lines())
        .containsExactly("version\tPrint the version of drydock.", ":4");
  }

  public static Outcome run(String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    CommandLine line = Drydock.commandLine(arguments);
    line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    return new Outcome(line.execute(arguments), out.toString(), err.toString());
  }
}
