package dev.drydock.maintenance.control;

import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestCluster;
import dev.drydock.testbed.TestNamespace;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** Maintenances on the real API server. */
@ClusterTest
@ExtendWith(MaintenancesOnRealClusterIT.RealYard.class)
class MaintenancesOnRealClusterIT extends MaintenanceContracts {
  static final class RealYard implements ParameterResolver {
    private static final ExtensionContext.Namespace STORE =
        ExtensionContext.Namespace.create(RealYard.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Yard.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      ControlPlane controlPlane = ClusterExtension.controlPlane(context);
      TestNamespace namespace = controlPlane.createNamespace("yard");
      // closed by JUnit at the end of the test
      context.getStore(STORE).put(namespace, namespace);
      return new Yard(TestCluster.real(controlPlane), namespace.name());
    }
  }
}
