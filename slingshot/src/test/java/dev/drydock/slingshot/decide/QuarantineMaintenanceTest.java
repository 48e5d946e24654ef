package dev.drydock.slingshot.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.cxi.CXIDriverSpec.CrashAction;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.slingshot.decide.QuarantineMaintenance.Step;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QuarantineMaintenanceTest {
  private static final Map<String, String> CRASHED =
      Map.of("cxi1", "killed by signal 11", "cxi0", "ended with exit code 1");
  private static final List<Boolean> BOTH = List.of(true, false);
  private static final String BOOT = "boot-1";

  private static CxiNode.Maintenance maintenance(
      MaintenanceState state, boolean deleted, Map<String, String> annotations) {
    return new CxiNode.Maintenance("m", "uid", "", state, deleted, annotations);
  }

  @Test
  void aCrashRaisesAMaintenanceUnderThatActionUnlessTheCordIsPulled() {
    for (CrashAction action : CrashAction.values()) {
      for (boolean stopped : BOTH) {
        for (boolean ready : BOTH) {
          Step step =
              QuarantineMaintenance.next(action, CRASHED, ready, BOOT, Optional.empty(), stopped);
          if (action == CrashAction.quarantine && !stopped) {
            assertThat(step)
                .isEqualTo(
                    new Step.Raise("cxi0: ended with exit code 1; cxi1: killed by signal 11"));
          } else {
            assertThat(step).isEqualTo(new Step.Nothing());
          }
          assertThat(
                  QuarantineMaintenance.next(
                      action, Map.of(), ready, BOOT, Optional.empty(), stopped))
              .isEqualTo(new Step.Nothing());
        }
      }
    }
  }

  /** Ending goes on while the cord is pulled, and whatever the spec says meanwhile. */
  @Test
  void itIsCompleteExactlyIfTheNodeIsDrainedAndWasRebooted() {
    for (MaintenanceState state : MaintenanceState.values()) {
      for (CrashAction action : CrashAction.values()) {
        for (boolean ready : BOTH) {
          for (boolean deleted : BOTH) {
            for (boolean crashed : BOTH) {
              for (boolean stopped : BOTH) {
                Step step =
                    QuarantineMaintenance.next(
                        action,
                        crashed ? CRASHED : Map.of(),
                        ready,
                        BOOT,
                        Optional.of(maintenance(state, deleted, Map.of())),
                        stopped);

                assertThat(step instanceof Step.Complete)
                    .isEqualTo(state == MaintenanceState.DRAINED && ready && !deleted && !crashed);
                assertThat(step).isNotInstanceOf(Step.Raise.class);
              }
            }
          }
        }
      }
    }
  }

  /** Its devices may be gone for a moment, or for good. */
  @Test
  void withoutAnotherBootItIsNotComplete() {
    for (String boot : List.of(BOOT, "another", "")) {
      assertThat(
              QuarantineMaintenance.next(
                  CrashAction.quarantine,
                  Map.of(),
                  true,
                  boot,
                  Optional.of(
                      maintenance(MaintenanceState.DRAINED, false, Map.of(CxiNames.BOOT, BOOT))),
                  false))
          .isEqualTo(boot.equals("another") ? new Step.Complete() : new Step.Nothing());
    }
  }

  @Test
  void whatAnotherClientHasSaidStays() {
    assertThat(
            QuarantineMaintenance.next(
                CrashAction.quarantine,
                Map.of(),
                true,
                BOOT,
                Optional.of(
                    maintenance(
                        MaintenanceState.DRAINED,
                        false,
                        Map.of(MaintenanceNames.MAINTENANCE_CLIENT, "incomplete"))),
                false))
        .isEqualTo(new Step.Nothing());
  }

  @Test
  void theMaintenanceNamesNodeClassAndReason() {
    QuarantineMaintenance quarantine = QuarantineMaintenance.of(TestDrivers.DRIVER);

    Map<String, Object> object = quarantine.maintenance("node1", BOOT, "cxi0: crashed");

    assertThat(Tree.child(object, "metadata"))
        .containsEntry("name", "cxi-driver-quarantine-node1")
        .containsEntry("namespace", "slingshot-system")
        .containsEntry(
            "annotations",
            Map.of("cxi.hpe.com/failure", "cxi0: crashed", "cxi.hpe.com/boot-id", BOOT));
    assertThat(Tree.child(object, "spec"))
        .containsEntry("nodeObject", "node1")
        .containsEntry("maintenanceType", "unplanned")
        .containsEntry("maintenanceClass", "cxi-driver-quarantine");
    assertThat(Tree.child(Tree.child(quarantine.maintenanceClass(), "metadata"), "labels"))
        .as("its maintenances are not those of a roll-out")
        .doesNotContainKey("app.kubernetes.io/instance");
  }

  @Test
  void longNamesAreCut() {
    DriverIdentity driver = new DriverIdentity("d".repeat(80), "uid", 1, "ns");

    QuarantineMaintenance quarantine = QuarantineMaintenance.of(driver);

    assertThat(quarantine.name()).hasSizeLessThanOrEqualTo(63);
    assertThat(
            Tree.text(
                Tree.child(quarantine.maintenance("n".repeat(253), "", ""), "metadata"), "name"))
        .hasSizeLessThanOrEqualTo(253);
  }
}
