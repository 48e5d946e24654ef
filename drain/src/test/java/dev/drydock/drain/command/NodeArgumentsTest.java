package dev.drydock.drain.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.drain.hold.HoldsAnnotation;
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
    assertThat(fixture.drydock("drain", two, "--holder", "the night shift").err())
        .endsWith(" drydock uncordon " + two + " --holder 'the night shift'\n");
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

    fixture.define();
    CommandOutcome elsewhere =
        CommandOutcome.run(
            "drain",
            node,
            "--server-side",
            "--kubeconfig",
            fixture.kubeconfig().toString(),
            "--namespace",
            "no-such-namespace");

    assertThat(elsewhere.exitCode()).isEqualTo(1);
    assertThat(elsewhere.err())
        .isEqualTo(
            "error: namespace no-such-namespace does not exist; choose another with --namespace\n");
    assertThat(fixture.isCordoned(node)).isFalse();
  }

  @Test
  void aMistypedNodeIsNotRequestedOfTheOperator() {
    fixture.define();
    String node = fixture.addNode();

    CommandOutcome outcome = run("drain --server-side " + node + " " + node + "x");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .isEqualTo(
            "error: node %sx does not exist (did you mean \"%s\"?); see: kubectl get nodes%n"
                .formatted(node, node));
    assertThat(fixture.client().resources(DrainRequest.class).inAnyNamespace().list().getItems())
        .isEmpty();
  }

  @Test
  void aNodeThatCannotBeReleasedKeepsNoOtherOutOfService() {
    String broken = fixture.addNode();
    String other = fixture.addNode();
    assertThat(run("cordon " + broken + " " + other).exitCode()).isZero();
    fixture
        .client()
        .nodes()
        .withName(broken)
        .edit(
            node -> {
              node.getMetadata().getAnnotations().put(HoldsAnnotation.NAME, "[");
              return node;
            });

    CommandOutcome outcome = run("uncordon " + broken + " " + other);

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.out()).isEqualTo("node/" + other + " uncordoned\n");
    assertThat(outcome.err())
        .startsWith(
            "node/%1$s not released: node %1$s: annotation %2$s is not readable ("
                .formatted(broken, HoldsAnnotation.NAME))
        .endsWith(
            "error: 1 of 2 nodes not released: %s; next: fix what is listed above, then uncordon them again%n"
                .formatted(broken));
    assertThat(fixture.isCordoned(other)).isFalse();
    assertThat(fixture.isCordoned(broken)).isTrue();
  }

  private CommandOutcome run(String line) {
    return fixture.drydock(line.split(" "));
  }
}
