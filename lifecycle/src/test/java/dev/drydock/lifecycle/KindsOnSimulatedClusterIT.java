package dev.drydock.lifecycle;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** The kinds on the simulated cluster: a difference from the real one is a bug of this one. */
@ClusterTest // for the real kubectl
@ExtendWith(KindsOnSimulatedClusterIT.SimulatedPier.class)
class KindsOnSimulatedClusterIT extends KindsContract {
  static final class SimulatedPier implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == LifecycleFixture.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return new LifecycleFixture(TestCluster.simulated(), "default");
    }
  }
}
