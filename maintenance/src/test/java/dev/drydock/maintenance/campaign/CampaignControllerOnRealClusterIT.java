package dev.drydock.maintenance.campaign;

import dev.drydock.maintenance.control.MaintenanceFixture;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;

/** Campaigns on the real API server, by operators that have the rights of their manifest. */
@ClusterTest
@ExtendWith(CampaignControllerOnRealClusterIT.RealYard.class)
class CampaignControllerOnRealClusterIT extends CampaignContract {
  static final class RealYard extends RealClusterParameter<MaintenanceFixture> {
    RealYard() {
      super(
          MaintenanceFixture.class,
          "harbour",
          (controlPlane, namespace) ->
              MaintenanceFixture.asTheManifest(TestCluster.real(controlPlane), namespace));
    }
  }
}
