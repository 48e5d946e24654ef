package dev.drydock.maintenance.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus;
import dev.drydock.maintenance.control.DyingWriter;
import dev.drydock.maintenance.control.Yard;
import dev.drydock.sim.SimulatedCluster;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.TestCluster;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A campaign whose operator dies after any single write is ended by the next one. */
@ClusterTest // for the real kubectl
class CampaignCrashIT {
  private Harbour harbour;

  @BeforeEach
  void open() {
    SimulatedCluster cluster = SimulatedCluster.running(SimulatedCluster.Settings.usual());
    harbour = new Harbour(new Yard(TestCluster.simulated(cluster), "default"));
  }

  @AfterEach
  void close() {
    harbour.close();
  }

  @Test
  void goesOnAfterADeathAtAnyWrite() {
    String clazz = harbour.goodClass();
    int write = 0;
    boolean survived = false;
    while (!survived) {
      write++;
      boolean before = killAndContinue(write, false, clazz);
      survived = killAndContinue(write, true, clazz) && before;
    }
    assertThat(write).as("writes of a whole campaign").isGreaterThan(8);
  }

  /** Whether the process got to the end before it could die. */
  private boolean killAndContinue(int lastWrite, boolean carriesItOut, String clazz) {
    String rack = "r" + lastWrite + (carriesItOut ? "-after" : "-before");
    String node = harbour.node(rack);
    String campaign =
        harbour.campaignOf(
            rack, clazz, harbour.rackLabel() + ", operator: In, values: [" + rack + "]");
    DyingWriter dying = new DyingWriter(lastWrite, carriesItOut);
    try (Harbour.Witness witness = harbour.witness()) {
      try (Harbour.Operator _ = harbour.operator(dying, Optional.empty())) {
        Yard.eventually()
            .until(() -> dying.isDead() || harbour.phase(campaign).equals("Completed"));
      }
      try (Harbour.Operator _ = harbour.operator()) {
        harbour.awaitPhase(campaign, "Completed");
        harbour.yard.awaitGone(campaign + "-" + node);
      }
      assertThat(witness.timesOut(node)).as(rack).isEqualTo(1);
      assertThat(harbour.status(campaign).counts())
          .as(rack)
          .isEqualTo(new MaintenanceCampaignStatus.Counts(1, 0, 0, 1, 0));
    }
    return !dying.isDead();
  }
}
