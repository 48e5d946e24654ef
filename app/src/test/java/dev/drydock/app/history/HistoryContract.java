package dev.drydock.app.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.app.operator.TestOperators;
import dev.drydock.testbed.CommandOutcome;
import dev.drydock.testkit.CommandFixture;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code drydock history}, whatever the cluster. */
abstract class HistoryContract {
  protected CommandFixture fixture;

  abstract CommandFixture newFixture();

  @BeforeEach
  void open() {
    fixture = newFixture();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private String maintenanceClass(String maintenance) {
    String name = fixture.namespace() + "-class";
    fixture.create(
        """
        apiVersion: drydock.dev/v1alpha1
        kind: MaintenanceClass
        metadata: {name: %s}
        spec: {drain: {builtin: {policy: {force: true}}}, maintenance: {%s}, validation: {none: {}}}
        """
            .formatted(name, maintenance));
    return name;
  }

  @Test
  void aMaintenanceThatIsOverIsToldFromBeginningToEnd() throws IOException {
    fixture.define();
    String node = fixture.addNode();
    String job =
        "job: {template: {spec: {template: {metadata: {annotations: {sim.drydock.dev/complete-after: 100ms}}, spec: {containers: [{name: main, image: none}]}}}}}";
    TestOperators.lead(fixture);
    assertThat(
            fixture
                .drydock("maintain", node, "--id", "fw-17", "--class", maintenanceClass(job))
                .exitCode())
        .isZero();

    CommandOutcome history = fixture.drydock("history", node, "--id", "fw-17");
    JsonNode json =
        new ObjectMapper().readTree(fixture.drydock("history", "node/" + node, "-o", "json").out());

    assertThat(history.exitCode()).as(history.err()).isZero();
    assertThat(history.out().lines().map(line -> line.split("  +", 5)[3]).toList())
        .startsWith("WHAT")
        .containsSubsequence(
            "MaintenanceStarted",
            "DrainPlanned",
            "ObjectsDrained",
            "JobStarted",
            "JobSucceeded",
            "Validating",
            "MaintenanceEnded",
            "MaintenanceComplete")
        .contains("HoldPlaced", "HoldReleased");
    assertThat(json.findValuesAsText("what")).containsAll(List.of("HoldPlaced", "Validating"));
    assertThat(json.get(1).path("after").asText()).startsWith("PT");
  }

  @Test
  void aMaintenanceThatWaitsSaysForWhat() {
    fixture.define();
    String node = fixture.addNode();
    TestOperators.lead(fixture);
    fixture.drydock(
        "maintain",
        node,
        "--id",
        "fw-17",
        "--class",
        maintenanceClass("outside: {}"),
        "--owner",
        "ops",
        "--no-wait");

    fixture
        .eventually()
        .untilAsserted(
            () ->
                assertThat(fixture.drydock("history", node, "--id", "fw-17").out())
                    .contains(" Created ", ", for ops", " ObjectsDrained ", "DrainRequested")
                    .containsPattern("Waiting +the maintenance client: annotation"));
  }

  @Test
  void aDrainAtATerminalIsTold() {
    String node = fixture.addNode();
    CommandOutcome drain =
        fixture.drydock("drain", node, "--holder", "team/a", "--reason", "new disk");
    assertThat(drain.exitCode()).as(drain.err()).isZero();

    CommandOutcome history = fixture.drydock("history", node);

    assertThat(history.exitCode()).as(history.err()).isZero();
    assertThat(history.out())
        .containsOnlyOnce("HoldPlaced")
        .containsPattern("node +HoldPlaced +held by team/a \\(new disk\\)")
        .containsPattern("node +DrydockDrained +all pods .* are gone; held by team/a: new disk");
    assertThat(history.out().indexOf("HoldPlaced"))
        .isLessThan(history.out().indexOf("DrydockDrained"));
    assertThat(fixture.drydock("uncordon", node, "--holder", "team/a").exitCode()).isZero();
    assertThat(fixture.drydock("history", node).out()).doesNotContain("DrydockDrained");
  }

  @Test
  void aTaskThatNobodyKnowsIsAFailure() {
    fixture.define();
    String node = fixture.addNode();

    CommandOutcome outcome = fixture.drydock("history", node, "--id", "nope");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("there is no maintenance nope of node " + node + "; see all of them:")
        .hasLineCount(1);
    CommandOutcome whole = fixture.drydock("history", node);
    if (whole.out().isEmpty()) {
      assertThat(whole.err()).isEqualTo("There are no maintenances of node " + node + ".\n");
    } else { // the cluster itself has told of the new node meanwhile
      assertThat(whole.out().lines().skip(1)).allMatch(line -> line.contains("RegisteredNode"));
    }
  }

  @Test
  void aNodeThatNeverWasIsMistyped() {
    String node = fixture.addNode();

    CommandOutcome outcome = fixture.drydock("history", node + "x");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("(did you mean \"" + node + "\"?)");
    assertThat(fixture.drydock("history").exitCode()).isEqualTo(2);
  }
}
