package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.Fields;
import dev.drydock.maintenance.control.RandomWalkFixture.Operator;
import dev.drydock.sim.fault.FaultPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Somebody removes our finalizer, or with all finalizers the whole object. */
class LostFinalizerTest {
  private static final String NODE = "a-1";
  private static final String HOLDER = "notifymaintenance/default/m";
  private static final String NO_FINALIZERS = "{metadata: {finalizers: null}}";

  private final RandomWalkFixture fixture = new RandomWalkFixture(1, FaultPlan.of());

  @AfterEach
  void close() {
    fixture.close();
  }

  private Optional<NotifyMaintenanceObject> find() {
    return fixture.witness.maintenances().stream()
        .filter(each -> each.facts().identity().name().equals("m"))
        .findFirst();
  }

  private void awaitState(MaintenanceState state) {
    fixture
        .eventually()
        .until(() -> find().filter(each -> each.facts().state() == state).isPresent());
  }

  private MaintenanceNodeObject node() {
    return Optional.ofNullable(fixture.witness.nodes().get(NODE)).orElseThrow();
  }

  private void slowClass() {
    String slow = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 10s", "");
    String quick = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 20ms", "");
    fixture.maintenanceClass("slow", "builtin: {policy: {force: true}}", slow, quick);
  }

  private void awaitJob() {
    fixture
        .eventually()
        .until(
            () ->
                find()
                    .filter(each -> Fields.text(each.status(), "waitingFor").contains("Job"))
                    .isPresent());
  }

  @Test
  void aMaintenanceThatLosesItsFinalizerGoesOnAndItsNodeStaysOut() {
    slowClass();
    try (Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("slow"));
      awaitState(MaintenanceState.DRAINED);
      awaitJob();
      fixture.patch("NotifyMaintenance", "m", NO_FINALIZERS);
      fixture.pause(5_000);

      assertThat(node().facts().unschedulable()).as("while the Job runs").isTrue();
      assertThat(RandomWalkObserver.holders(node())).contains(HOLDER);
      assertThat(find().orElseThrow().facts().finalizer()).as("put back").isTrue();
      assertThat(history()).contains("FinalizerRestored");
      assertThat(fixture.notices).contains("m FinalizerRestored");
      fixture.eventually().until(() -> find().isEmpty());
      fixture.eventually().until(() -> !node().facts().unschedulable());
      assertThat(fixture.notices).contains("m MaintenanceComplete");
      assertThat(fixture.witness.wrong).isEmpty();
    }
  }

  private List<String> history() {
    return find().orElseThrow().status().path("history").findValuesAsText("what");
  }

  /** What else may end while something still happens on the node. */
  @Test
  void whoUncordonsTheNodeIsToldThatAJobStillRunsThere() {
    slowClass();
    try (Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("slow"));
      awaitState(MaintenanceState.DRAINED);
      awaitJob();
      fixture.patch("Node", NODE, "{spec: {unschedulable: null}}");

      fixture
          .eventually()
          .untilAsserted(
              () ->
                  assertThat(notes("UncordonedMidway"))
                      .singleElement()
                      .asString()
                      .startsWith("node a-1 was uncordoned in state ObjectsDrained; ")
                      .contains("m-work-1")
                      .endsWith(" still runs there"));
    }
  }

  private List<String> notes(String reason) {
    List<String> notes = new ArrayList<>();
    for (JsonNode event :
        fixture
            .cluster
            .call("GET", "/apis/events.k8s.io/v1/namespaces/default/events", null)
            .body()
            .path("items")) {
      if (Fields.text(event, "reason").equals(reason)) {
        notes.add(Fields.text(event, "note"));
      }
    }
    return notes;
  }

  @Test
  void withoutAClassItGoesOnAsWell() {
    try (Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.empty());
      awaitState(MaintenanceState.SCHEDULED);
      fixture.patch("Node", NODE, "{metadata: {labels: {maintenance/m: ''}}}");
      fixture.patch("Node", NODE, "{spec: {unschedulable: true}}");
      awaitState(MaintenanceState.STARTED);
      fixture.patch("NotifyMaintenance", "m", NO_FINALIZERS);
      fixture.patch(
          "NotifyMaintenance",
          "m",
          "{metadata: {annotations: {maintenance/readyForMaintenance: 'true'}}}");
      awaitState(MaintenanceState.DRAINED);
      fixture.eventually().until(() -> find().orElseThrow().facts().finalizer());
      fixture.patch("Node", NODE, "{spec: {unschedulable: null}}");
      fixture.eventually().until(() -> fixture.notices.contains("m MaintenanceComplete"));
      fixture.eventually().until(() -> node().facts().maintenanceLabels().isEmpty());
    }
  }

  @Test
  void aNodeThatWasNotProvedFitStaysOutWhenItsMaintenanceIsGone() {
    try (Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("fails-proof"));
      awaitState(MaintenanceState.INCOMPLETE);
      vanish();
      fixture.pause(60_000);
      assertStaysOut();
    }
    try (Operator _ = fixture.process()) {
      fixture.pause(60_000);
      assertStaysOut();
      fixture.patch("Node", NODE, "{spec: {unschedulable: null}}");
      fixture.eventually().until(() -> node().holds().isEmpty());
    }
  }

  @Test
  void aNodeStaysOutWhoseMaintenanceWasGoneWhileNoOperatorRan() {
    try (Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("fails-proof"));
      awaitState(MaintenanceState.INCOMPLETE);
    }
    vanish();
    try (Operator _ = fixture.process()) {
      fixture.pause(60_000);
      assertStaysOut();
    }
  }

  /** Made again, it may end well before it has done anything; what its predecessor did remains. */
  @Test
  void oneMadeAgainUnderTheSameNameDoesNotReturnWhatItsPredecessorLeft() {
    try (Operator _ = fixture.process()) {
      fixture.maintenance("m", NODE, Optional.of("fails-proof"));
      awaitState(MaintenanceState.INCOMPLETE);
      vanish();
      slowClass();
      fixture.maintenance("m", NODE, Optional.of("slow"));
      awaitState(MaintenanceState.STARTED);
      assertThat(fixture.cluster.delete("NotifyMaintenance", "default", "m", null).isSuccess())
          .isTrue();
      fixture.pause(60_000);
      assertThat(node().facts().unschedulable()).isTrue();
    }
  }

  private void vanish() {
    assertThat(fixture.cluster.delete("NotifyMaintenance", "default", "m", null).isSuccess())
        .isTrue();
    fixture.patch("NotifyMaintenance", "m", NO_FINALIZERS);
    fixture.eventually().until(() -> find().isEmpty());
  }

  private void assertStaysOut() {
    assertThat(node().facts().unschedulable()).as("not proved fit").isTrue();
    List<String> reasons =
        HoldsAnnotation.read(NODE, node().holds(), true).byHolder().values().stream()
            .map(Hold::reason)
            .toList();
    assertThat(reasons)
        .singleElement()
        .asString()
        .contains("notifymaintenance/default/m is gone", "uncordon");
  }

  @Test
  void oneThatTheOriginalHasFinishedStaysOver() {
    fixture.maintenance("m", NODE, Optional.empty());
    fixture.patch("NotifyMaintenance", "m", "{metadata: {labels: {maintenance/m: ''}}}");
    assertThat(
            fixture
                .cluster
                .patch(
                    "NotifyMaintenance",
                    "default",
                    "m",
                    "status",
                    RandomWalkFixture.yaml("{status: {maintenanceStatus: Validating}}"))
                .isSuccess())
        .isTrue();
    try (Operator _ = fixture.process()) {
      fixture.pause(5_000);
      assertThat(find().orElseThrow().facts().finalizer()).isFalse();
      assertThat(find().orElseThrow().facts().isOver()).isTrue();
      assertThat(find().orElseThrow().object().annotations())
          .doesNotContainKey(MaintenanceNames.TERMINATED);
    }
  }
}
