package dev.drydock.maintenance.campaign;

import dev.drydock.maintenance.control.MaintenanceFixture;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;

/** Campaigns on the real API server, by operators that have the rights of their manifest. */
@ClusterTest
@ExtendWith(CampaignControllerOnRealClusterIT.Fixture.class)
class CampaignControllerOnRealClusterIT extends CampaignContract {
  static final class Fixture extends RealClusterParameter<MaintenanceFixture> {
    Fixture() {
      super(
          MaintenanceFixture.class,
          "campaign",
          (controlPlane, namespace) ->
              MaintenanceFixture.asTheManifest(TestCluster.real(controlPlane), namespace));
    }
  }
}
