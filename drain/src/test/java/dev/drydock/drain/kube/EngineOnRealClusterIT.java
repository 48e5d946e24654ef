package dev.drydock.drain.kube;

import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestCluster;
import dev.drydock.testbed.TestNamespace;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The engine on the real API server. */
@ClusterTest
@ExtendWith(EngineOnRealClusterIT.RealScene.class)
class EngineOnRealClusterIT extends EngineContracts {
  static final class RealScene implements ParameterResolver {
    private static final ExtensionContext.Namespace STORE =
        ExtensionContext.Namespace.create(RealScene.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == Scene.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      ControlPlane controlPlane = ClusterExtension.controlPlane(context);
      TestNamespace namespace = controlPlane.createNamespace("engine");
      // closed by JUnit at the end of the test
      context.getStore(STORE).put(namespace, namespace);
      return new Scene(TestCluster.real(controlPlane), namespace.name());
    }
  }
}
