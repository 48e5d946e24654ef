package dev.drydock.maintenance.control;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.SimulatedClusterParameter;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** Maintenances on the simulated cluster: a difference from the real one is a bug of this one. */
@ClusterTest // for the real kubectl
@ExtendWith(MaintenanceControllerOnSimulatedClusterIT.Fixture.class)
class MaintenanceControllerOnSimulatedClusterIT extends MaintenanceContracts {
  @Nested
  class Crashed extends MaintenanceCrashContract {}

  static final class Fixture extends SimulatedClusterParameter<MaintenanceFixture> {
    Fixture() {
      super(MaintenanceFixture.class, MaintenanceFixture::simulated);
    }
  }
}
