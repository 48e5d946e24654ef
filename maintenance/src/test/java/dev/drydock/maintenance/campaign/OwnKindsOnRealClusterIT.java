package dev.drydock.maintenance.campaign;

import dev.drydock.testbed.ClusterExtension;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Classes and campaigns on the real API server. */
@ClusterTest
@ExtendWith(OwnKindsOnRealClusterIT.RealCluster.class)
class OwnKindsOnRealClusterIT extends OwnKindsContract {
  static final class RealCluster implements ClusterOfTest {
    @Override
    public TestCluster start(ExtensionContext context) {
      return TestCluster.real(ClusterExtension.controlPlane(context));
    }
  }
}
