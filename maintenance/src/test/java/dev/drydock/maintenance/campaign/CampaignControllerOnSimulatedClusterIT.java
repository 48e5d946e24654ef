package dev.drydock.maintenance.campaign;

import dev.drydock.maintenance.control.MaintenanceFixture;
import dev.drydock.testbed.ClusterTest;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Campaigns on the simulated cluster: a difference from the real one is a bug of this one. */
@ClusterTest // for the real kubectl
@ExtendWith(CampaignControllerOnSimulatedClusterIT.SimulatedYard.class)
class CampaignControllerOnSimulatedClusterIT extends CampaignContract {
  static final class SimulatedYard implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == MaintenanceFixture.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return MaintenanceFixture.simulated();
    }
  }
}
