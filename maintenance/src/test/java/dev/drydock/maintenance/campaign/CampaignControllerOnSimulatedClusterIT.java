package dev.drydock.maintenance.campaign;

import dev.drydock.maintenance.control.MaintenanceFixture;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.SimulatedClusterParameter;
import org.junit.jupiter.api.extension.ExtendWith;

/** Campaigns on the simulated cluster: a difference from the real one is a bug of this one. */
@ClusterTest // for the real kubectl
@ExtendWith(CampaignControllerOnSimulatedClusterIT.Fixture.class)
class CampaignControllerOnSimulatedClusterIT extends CampaignContract {
  static final class Fixture extends SimulatedClusterParameter<MaintenanceFixture> {
    Fixture() {
      super(MaintenanceFixture.class, MaintenanceFixture::simulated);
    }
  }
}
