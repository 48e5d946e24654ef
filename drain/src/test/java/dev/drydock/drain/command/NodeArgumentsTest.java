package dev.drydock.drain.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.CommandFixture;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What commands on nodes say about nodes that are mistyped, and what to run next. */
class NodeArgumentsTest {
  private CommandFixture fixture;

  @BeforeEach
  void open(@TempDir Path folder) {
    fixture = CommandFixture.simulated(folder);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "drain", "drain --dry-run", "cordon", "uncordon", "holds"})
  void aMistypedNodeIsNamedWithTheNearest(String command) {
    String node = fixture.addNode();
    String other = fixture.addNode();

    CommandOutcome outcome = run(command + " " + node + " " + other + "x");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEmpty();
    assertThat(outcome.err())
        .isEqualTo(
            "error: node %s does not exist (did you mean \"%s\"?); see: kubectl get nodes%n"
                .formatted(other + "x", other));
    assertThat(fixture.isCordoned(node)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"plan", "drain", "cordon", "uncordon", "holds"})
  void aSelectorThatMatchesNothingSaysWhereLabelsAre(String command) {
    CommandOutcome outcome = run(command + " -l rack=r99");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .isEqualTo(
            "error: no node has the labels rack=r99; see: kubectl get nodes --show-labels\n");
  }

  @Test
  void aDrainEndsWithTheCommandThatReturnsTheNodes() {
    String one = fixture.addNode();
    String two = fixture.addNode();

    assertThat(run("drain " + one + " " + two + " --holder team/a").err())
        .isEqualTo(
            "Held by team/a until you run: drydock uncordon %s %s --holder team/a%n"
                .formatted(one, two));
    assertThat(run("drain -l kubernetes.io/hostname=" + one).err())
        .endsWith(" until you run: drydock uncordon -l kubernetes.io/hostname=" + one + "\n");
    assertThat(run("drain " + one + " -o json").err()).isEmpty();
  }

  @Test
  void aDrainByTheOperatorNeedsItsKindAndTheNamespace() {
    String node = fixture.addNode();

    CommandOutcome undefined = run("drain " + node + " --server-side");

    assertThat(undefined.exitCode()).isEqualTo(1);
    assertThat(undefined.err())
        .contains(
            "error: the CRD of DrainRequest is not installed; run: drydock crds | kubectl apply"
                + " --server-side -f -\n");
  }

  private CommandOutcome run(String line) {
    return fixture.drydock(line.split(" "));
  }
}
