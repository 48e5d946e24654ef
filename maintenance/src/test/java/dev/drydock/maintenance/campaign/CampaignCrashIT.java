package dev.drydock.maintenance.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus;
import dev.drydock.maintenance.control.MaintenanceFixture;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.DyingProcess;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A campaign whose operator dies after any single write is ended by the next one. */
@ClusterTest // for the real kubectl
class CampaignCrashIT {
  private CampaignFixture fixture;

  @BeforeEach
  void open() {
    fixture = new CampaignFixture(MaintenanceFixture.simulated());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void goesOnAfterADeathAtAnyWrite() {
    String maintenanceClass = fixture.goodClass();
    int write = 0;
    boolean survived = false;
    while (!survived) {
      write++;
      boolean before = killAndContinue(write, false, maintenanceClass);
      survived = killAndContinue(write, true, maintenanceClass) && before;
    }
    assertThat(write).as("writes of a whole campaign").isGreaterThan(8);
  }

  /** Whether the process got to the end before it could die. */
  private boolean killAndContinue(int lastWrite, boolean carriesItOut, String maintenanceClass) {
    String rack = "r" + lastWrite + (carriesItOut ? "-after" : "-before");
    String node = fixture.node(rack);
    String campaign =
        fixture.campaignOf(
            rack, maintenanceClass, fixture.rackLabel() + ", operator: In, values: [" + rack + "]");
    DyingProcess dying = DyingProcess.atWrite(lastWrite, carriesItOut);
    try (CampaignFixture.Witness witness = fixture.witness()) {
      try (CampaignFixture.Operator _ = fixture.operator(dying, Optional.empty())) {
        fixture
            .fixture
            .eventually()
            .until(() -> dying.isDead() || fixture.phase(campaign).equals("Completed"));
      }
      try (CampaignFixture.Operator _ = fixture.operator()) {
        fixture.awaitPhase(campaign, "Completed");
        fixture.fixture.awaitGone(fixture.maintenance(campaign, node));
      }
      assertThat(witness.timesOut(node)).as(rack).isEqualTo(1);
      assertThat(fixture.status(campaign).counts())
          .as(rack)
          .isEqualTo(new MaintenanceCampaignStatus.Counts(1, 0, 0, 1, 0));
    }
    return !dying.isDead();
  }
}
