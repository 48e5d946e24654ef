package dev.drydock.maintenance.campaign;

import dev.drydock.maintenance.control.Yard;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.RealClusterParameter;
import dev.drydock.testbed.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;

/** Campaigns on the real API server, by operators that have the rights of their manifest. */
@ClusterTest
@ExtendWith(CampaignsOnRealClusterIT.RealYard.class)
class CampaignsOnRealClusterIT extends CampaignContract {
  static final class RealYard extends RealClusterParameter<Yard> {
    RealYard() {
      super(
          Yard.class,
          "harbour",
          (controlPlane, namespace) ->
              Yard.asTheManifest(TestCluster.real(controlPlane), namespace));
    }
  }
}
