package dev.drydock.maintenance.campaign;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Classes and campaigns on the simulated one: a difference from the real one is a bug of this. */
@ClusterTest // for the real kubectl
@ExtendWith(OwnKindsOnSimulatedClusterIT.Simulated.class)
class OwnKindsOnSimulatedClusterIT extends OwnKindsContract {
  static final class Simulated implements ClusterOfTest {
    @Override
    public TestCluster start(ExtensionContext context) {
      return TestCluster.simulated();
    }
  }
}
