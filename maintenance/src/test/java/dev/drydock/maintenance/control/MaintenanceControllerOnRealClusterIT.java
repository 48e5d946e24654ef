package dev.drydock.maintenance.control;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;

/** Maintenances on the real API server, by operators that have the rights of their manifest. */
@ClusterTest
@ExtendWith(MaintenanceControllerOnRealClusterIT.RealYard.class)
class MaintenanceControllerOnRealClusterIT extends MaintenanceContracts {
  static final class RealYard extends RealClusterParameter<MaintenanceFixture> {
    RealYard() {
      super(
          MaintenanceFixture.class,
          "yard",
          (controlPlane, namespace) ->
              MaintenanceFixture.asTheManifest(TestCluster.real(controlPlane), namespace));
    }
  }
}
