package dev.drydock.maintenance.control;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;

/** Maintenances on the real API server, by operators that have the rights of their manifest. */
@ClusterTest
@ExtendWith(MaintenanceControllerOnRealClusterIT.Fixture.class)
class MaintenanceControllerOnRealClusterIT extends MaintenanceContracts {
  static final class Fixture extends RealClusterParameter<MaintenanceFixture> {
    Fixture() {
      super(
          MaintenanceFixture.class,
          "maintenance",
          (controlPlane, namespace) ->
              MaintenanceFixture.asTheManifest(TestCluster.real(controlPlane), namespace));
    }
  }
}
