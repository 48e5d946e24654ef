package dev.drydock.drain.engine;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The engine on the simulated cluster: a difference from the real one is a bug of this one. */
@ClusterTest // for the real kubectl
@ExtendWith(EngineOnSimulatedClusterIT.SimulatedScene.class)
class EngineOnSimulatedClusterIT extends EngineContracts {
  static final class SimulatedScene implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == DrainFixture.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return new DrainFixture(TestCluster.simulated(), "default");
    }
  }
}
