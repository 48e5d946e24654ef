package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.control.RandomWalkFixture.Operator;
import dev.drydock.sim.fault.FaultPlan;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What drains a node for a maintenance ends with it, whatever becomes of the class. */
class EndedDrainsTest {
  private static final String NODE = "a-1";
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
}
