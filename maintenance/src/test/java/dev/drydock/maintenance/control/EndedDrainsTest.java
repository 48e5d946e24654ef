package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.control.RandomWalkFixture.Operator;
import dev.drydock.sim.fault.FaultPlan;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What drains a node for a maintenance ends with it, whatever becomes of the class. */
class EndedDrainsTest {
  private static final String NODE = "a-1";
  private static final String EVENT = "default.m";
  private static final String BY_KUBECTL = "{spec: {unschedulable: null}}";

  /** With the holds, so that nothing is left to be released. */
  private static final String BY_DRYDOCK =
      "{metadata: {annotations: {drydock.dev/holds: null}}, spec: {unschedulable: null}}";

  private static final String OUTSIDE = "outside: {}";

  private final RandomWalkFixture fixture = new RandomWalkFixture(1, FaultPlan.of());

  @BeforeEach
  void open() {
    // refuses to delete the pod that nothing brings back, so the drain waits
    fixture.maintenanceClass("stuck", "builtin: {}", OUTSIDE, OUTSIDE);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private boolean exists(String kind, String name) {
    String namespace = kind.equals("LifecycleEvent") ? "" : "default";
    return fixture.cluster.get(kind, namespace, name).isSuccess();
  }

  private void delete(String kind, String namespace, String name) {
    assertThat(fixture.cluster.delete(kind, namespace, name, null).isSuccess()).isTrue();
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

  private void assertReturned() {
    fixture.eventually().until(() -> find().isEmpty());
    fixture.eventually().until(() -> !node().facts().unschedulable());
    assertThat(node().holds()).isEmpty();
    assertThat(fixture.witness.wrong).isEmpty();
  }

  /** Up to the hold that the drain has beside that of the maintenance. */
  private void awaitDrain() {
    fixture.maintenance("m", NODE, Optional.of("stuck"));
    fixture
        .eventually()
        .until(() -> RandomWalkObserver.holders(node()).contains("drainrequest/default/m"));
  }

  @Test
  void aNodeIsReturnedAlthoughTheClassIsGone() {
    try (Operator _ = fixture.process()) {
      awaitDrain();
      delete("MaintenanceClass", "", "stuck");
      delete("NotifyMaintenance", "default", "m");

      assertReturned();
      assertThat(exists("DrainRequest", "m")).isFalse();
    }
  }

  @Test
  void aNodeIsReturnedAlthoughTheClassIsGoneAndTheOperatorIsAnother() {
    try (Operator _ = fixture.process()) {
      awaitDrain();
    }
    delete("MaintenanceClass", "", "stuck");
    delete("NotifyMaintenance", "default", "m");
    try (Operator _ = fixture.process()) {
      assertReturned();
      assertThat(exists("DrainRequest", "m")).isFalse();
    }
  }

  @Test
  void aNodeIsReturnedAlthoughTheClassDrainsInAnotherWayByNow() {
    try (Operator _ = fixture.process()) {
      awaitDrain();
      assertThat(
              fixture
                  .cluster
                  .patch(
                      "MaintenanceClass",
                      "",
                      "stuck",
                      "",
                      RandomWalkFixture.yaml("{spec: {drain: {builtin: null, outside: {}}}}"))
                  .isSuccess())
          .isTrue();
      delete("NotifyMaintenance", "default", "m");

      assertReturned();
      assertThat(exists("DrainRequest", "m")).isFalse();
    }
  }

  /** Up to the event that nobody claims. */
  private void awaitEvent() {
    fixture.maintenanceClass("by-event", "lifecycleEvent: {transitionName: t}", OUTSIDE, OUTSIDE);
    fixture.maintenance("m", NODE, Optional.of("by-event"));
    fixture.eventually().until(() -> exists("LifecycleEvent", EVENT));
  }

  @ParameterizedTest
  @ValueSource(strings = {BY_KUBECTL, BY_DRYDOCK})
  void anEventGoesWhenAPersonUncordonsTheNodeAndItsNameIsFree(String uncordon) {
    try (Operator _ = fixture.process()) {
      awaitEvent();
      fixture.patch("Node", NODE, uncordon);

      fixture.eventually().until(() -> find().orElseThrow().facts().isOver());
      fixture.eventually().until(() -> !exists("LifecycleEvent", EVENT));
      delete("NotifyMaintenance", "default", "m");
      fixture.eventually().until(() -> find().isEmpty());
      fixture.maintenance("m", NODE, Optional.of("by-event"));
      fixture.eventually().until(() -> exists("LifecycleEvent", EVENT));
      assertThat(fixture.witness.wrong).isEmpty();
    }
  }

  /** Its claimer has deleted it already, and nothing but our finalizer keeps it. */
  @ParameterizedTest
  @ValueSource(strings = {BY_KUBECTL, BY_DRYDOCK})
  void anEventGoesThatHasEndedWhenAPersonUncordonsTheDrainedNode(String uncordon) {
    try (Operator _ = fixture.process()) {
      awaitEvent();
      assertThat(
              fixture
                  .cluster
                  .patch(
                      "LifecycleEvent",
                      "",
                      EVENT,
                      "status",
                      RandomWalkFixture.yaml("{status: {claimStatus: Succeeded, driver: d}}"))
                  .isSuccess())
          .isTrue();
      delete("LifecycleEvent", "", EVENT);
      awaitState(MaintenanceState.DRAINED);
      assertThat(exists("LifecycleEvent", EVENT)).isTrue();
      fixture.patch("Node", NODE, uncordon);

      fixture.eventually().until(() -> !exists("LifecycleEvent", EVENT));
      assertThat(fixture.witness.wrong).isEmpty();
    }
  }

  @Test
  void anEventGoesWithItsMaintenanceAlthoughTheClassIsGone() {
    try (Operator _ = fixture.process()) {
      awaitEvent();
      delete("MaintenanceClass", "", "by-event");
      delete("NotifyMaintenance", "default", "m");

      assertReturned();
      assertThat(exists("LifecycleEvent", EVENT)).isFalse();
    }
  }

  @Test
  void anEventGoesWithItsMaintenanceAlthoughTheNodeIsGone() {
    try (Operator _ = fixture.process()) {
      awaitEvent();
      delete("Node", "", NODE);
      delete("NotifyMaintenance", "default", "m");

      fixture.eventually().until(() -> find().isEmpty());
      assertThat(exists("LifecycleEvent", EVENT)).isFalse();
    }
  }

  /** The controller that this API comes from takes its finalizer away when the node is back. */
  @Test
  void anEventGoesWithAMaintenanceThatAnotherControllerHasEnded() {
    try (Operator _ = fixture.process()) {
      awaitEvent();
    }
    fixture.patch("Node", NODE, BY_DRYDOCK);
    fixture.patch("Node", NODE, "{metadata: {labels: {maintenance/m: null}}}");
    fixture.patch("NotifyMaintenance", "m", "{metadata: {finalizers: null}}");
    try (Operator _ = fixture.process()) {
      fixture.eventually().until(() -> find().orElseThrow().facts().isOver());
      fixture.eventually().until(() -> !exists("LifecycleEvent", EVENT));
      assertThat(fixture.witness.wrong).isEmpty();
    }
  }
}
