package dev.drydock.testbed.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.realkubelet.RealKubelet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class ClusterUsageTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          up --nodes -1       | --nodes -1: use 0 to 5000
          up --nodes 5001     | --nodes 5001: use 0 to 5000
          up --node Big_One   | --node "Big_One" is not a name of a node
          up --kubelet Big_One | --kubelet "Big_One" is not a name of a node
          up --nodes many     | invalid value "many" for --nodes: use a whole number; see 'drydock cluster up --help'
          up --port -1        | --port -1: use 1 to 65535, or 0 for a free one
          up --port 65536     | --port 65536: use 1 to 65535, or 0 for a free one
          up --name Big       | --name "Big": use up to 40 lower-case letters, digits and dashes
          up --name ../etc    | --name "../etc": use up to 40 lower-case letters, digits and dashes
          down --name -x      | --name "-x": use up to 40 lower-case letters, digits and dashes
          status --name a/b   | --name "a/b": use up to 40 lower-case letters, digits and dashes
          kubeconfig --name . | --name ".": use up to 40 lower-case letters, digits and dashes
          up --image x        | --image: only a real node runs images; add --kubelet
          up --check          | --check: only a real node may not run here; add --kubelet
          up --size 3         | unknown flag: --size; see 'drydock cluster up --help'
          upp                 | unknown command "upp" for "drydock cluster" (did you mean "up"?); see 'drydock cluster --help'
          status -o xml       | invalid value "xml" for --output: use one of json, yaml, wide; see 'drydock cluster status --help'
          """)
  void isExplainedInOneLine(String arguments, String message) {
    assertThat(run(arguments)).isEqualTo(2);

    assertThat(err.toString()).isEqualTo("error: " + message + System.lineSeparator());
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void aPathTooLongForAKubeletIsNoticed() {
    Path state = Path.of("/" + "x".repeat(40));

    assertThat(new ClusterFolder(state, "x").excessForKubelet()).isNotPositive();
    assertThat(new ClusterFolder(state, "x".repeat(40)).excessForKubelet()).isPositive();
  }

  @Test
  void aCheckSaysWhetherARealNodeCanRunAndStartsNothing() {
    int exitCode = run("up --name unused --kubelet --check");

    Optional<String> refusal = RealKubelet.unavailable();
    assertThat(exitCode).isEqualTo(refusal.isEmpty() ? 0 : 1);
    assertThat(refusal.isEmpty() ? out.toString() : err.toString())
        .isEqualTo(
            refusal.map(reason -> "error: --kubelet: " + reason).orElse("A real node can run here.")
                + System.lineSeparator());
    assertThat(run("status --name unused")).isEqualTo(1);
  }

  /** So that what is deployed finds the image that was loaded. */
  @Test
  void anImageIsLoadedUnderTheNamesInTheManifests() throws IOException {
    assertThat(Files.readString(Path.of("..", "deploy", "kustomization.yaml")))
        .contains(
            "newName: %s\n    newTag: %s\n"
                .formatted((Object[]) ClusterUpCommand.DEPLOYED_NAME.split(":", -1)));
    assertThat(Files.readString(Path.of("..", "deploy", "daemonset.yaml")))
        .contains("image: " + ClusterUpCommand.DRIVER_NAME + " ");
  }

  @Test
  void aloneItShowsWhatThereIs() {
    assertThat(run("")).isZero();

    assertThat(out.toString()).contains("up", "status", "kubeconfig", "down");
  }

  private int run(String arguments) {
    String[] words = ("cluster " + arguments).trim().split(" +", -1);
    CommandLine line = ClusterProgram.commandLine(words);
    return line.setOut(new PrintWriter(out)).setErr(new PrintWriter(err)).execute(words);
  }
}
