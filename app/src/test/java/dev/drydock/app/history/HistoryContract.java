package dev.drydock.app.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.drydock.app.CommandScene;
import dev.drydock.app.DrydockTest.Outcome;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code drydock history}, whatever the cluster. */
abstract class HistoryContract {
  protected CommandScene scene;

  abstract CommandScene newScene();

  @BeforeEach
  void open() {
    scene = newScene();
  }

  @AfterEach
  void close() {
    scene.close();
  }

  private String clazz(String maintenance) {
    String name = scene.namespace() + "-class";
    scene.create(
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
    scene.define();
    String node = scene.addNode();
    String job =
        "job: {template: {spec: {template: {metadata: {annotations: {sim.drydock.dev/complete-after: 100ms}}, spec: {containers: [{name: main, image: none}]}}}}}";
    scene.startOperator();
    assertThat(scene.drydock("maintain", node, "--id", "fw-17", "--class", clazz(job)).exitCode())
        .isZero();

    Outcome history = scene.drydock("history", node, "--id", "fw-17");
    JsonNode json =
        new ObjectMapper().readTree(scene.drydock("history", "node/" + node, "-o", "json").out());

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
    scene.define();
    String node = scene.addNode();
    scene.startOperator();
    scene.drydock(
        "maintain",
        node,
        "--id",
        "fw-17",
        "--class",
        clazz("outside: {}"),
        "--owner",
        "ops",
        "--no-wait");

    CommandScene.eventually()
        .untilAsserted(
            () ->
                assertThat(scene.drydock("history", node, "--id", "fw-17").out())
                    .contains(" Created ", ", for ops", " ObjectsDrained ", "DrainRequested")
                    .containsPattern("Waiting +the maintenance client: annotation"));
  }

  @Test
  void aTaskThatNobodyKnowsIsAFailure() {
    scene.define();
    String node = scene.addNode();

    Outcome outcome = scene.drydock("history", node, "--id", "nope");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err())
        .contains("nothing is known of a maintenance nope of node " + node + "; see all of them:")
        .hasLineCount(1);
    assertThat(scene.drydock("history", node).err())
        .isEqualTo("Nothing is known of maintenances of node " + node + ".\n");
  }

  @Test
  void aNodeThatNeverWasIsMistyped() {
    String node = scene.addNode();

    Outcome outcome = scene.drydock("history", node + "x");

    assertThat(outcome.exitCode()).isEqualTo(1);
    assertThat(outcome.err()).contains("(did you mean \"" + node + "\"?)");
    assertThat(scene.drydock("history").exitCode()).isEqualTo(2);
  }
}
