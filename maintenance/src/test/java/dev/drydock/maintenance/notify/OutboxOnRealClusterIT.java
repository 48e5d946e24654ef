package dev.drydock.maintenance.notify;

import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The outbox on the real API server. */
@ClusterTest
@ExtendWith(OutboxOnRealClusterIT.RealOffice.class)
class OutboxOnRealClusterIT extends OutboxContract {
  static final class RealOffice implements ParameterResolver {
    private static final ExtensionContext.Namespace STORE =
        ExtensionContext.Namespace.create(RealOffice.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == PostOffice.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      ControlPlane controlPlane = ClusterExtension.controlPlane(context);
      TestNamespace namespace = controlPlane.createNamespace("outbox");
      // closed by JUnit at the end of the test
      context.getStore(STORE).put(namespace, namespace);
      return PostOffice.real(controlPlane, namespace.name());
    }
  }
}
