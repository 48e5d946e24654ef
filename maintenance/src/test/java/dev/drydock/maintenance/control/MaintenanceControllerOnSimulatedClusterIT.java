package dev.drydock.maintenance.control;

import dev.drydock.testbed.ClusterTest;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Maintenances on the simulated cluster: a difference from the real one is a bug of this one. */
@ClusterTest // for the real kubectl
@ExtendWith(MaintenanceControllerOnSimulatedClusterIT.SimulatedYard.class)
class MaintenanceControllerOnSimulatedClusterIT extends MaintenanceContracts {
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
