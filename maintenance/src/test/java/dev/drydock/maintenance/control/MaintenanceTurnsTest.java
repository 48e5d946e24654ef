package dev.drydock.maintenance.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.kube.Fields;
import dev.drydock.maintenance.control.RandomWalkFixture.Operator;
import dev.drydock.sim.fault.FaultPlan;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two maintenances with a class on one node. */
class MaintenanceTurnsTest {
  private static final String NODE = "a-1";

  private final RandomWalkFixture fixture = new RandomWalkFixture(1, FaultPlan.of());

  @AfterEach
  void close() {
    fixture.close();
  }

  private NotifyMaintenanceObject find(String name) {
    return fixture.witness.maintenances().stream()
        .filter(each -> each.facts().identity().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private boolean waitsFor(String name, String words) {
    return Fields.text(find(name).status(), "waitingFor").contains(words);
  }

  @Test
  void theSecondWaitsVisiblyAndTheFirstOnesJobIsLeftAlone() {
    String slow = RandomWalkFixture.job("\"sim.drydock.dev/complete-after\": 20s", "");
    fixture.maintenanceClass("slow", "builtin: {policy: {force: true}}", slow, "none: {}");
    try (Operator _ = fixture.process()) {
      fixture.maintenance("first", NODE, Optional.of("slow"));
      fixture.eventually().until(() -> find("first").facts().state() == MaintenanceState.DRAINED);
      fixture.eventually().until(() -> waitsFor("first", "the maintenance Job"));
      fixture.maintenance("second", NODE, Optional.of("slow"));
      fixture.eventually().until(() -> waitsFor("second", "default/first"));
      fixture.pause(5_000);
      assertThat(find("second").facts().state()).isEqualTo(MaintenanceState.SCHEDULED);
      assertThat(find("first").facts().state()).isEqualTo(MaintenanceState.DRAINED);

      fixture
          .eventually()
          .until(() -> fixture.witness.ended.containsAll(Set.of("first", "second")));
      assertThat(fixture.notices)
          .doesNotContain("first MaintenanceIncomplete", "second MaintenanceIncomplete");
      assertThat(fixture.witness.wrong).isEmpty();
    }
  }
}
