package dev.drydock.lifecycle;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;

/** The kinds on the real API server. */
@ClusterTest
@ExtendWith(KindsOnRealClusterIT.Fixture.class)
class KindsOnRealClusterIT extends KindsContract {
  static final class Fixture extends RealClusterParameter<LifecycleFixture> {
    Fixture() {
      super(
          LifecycleFixture.class,
          "kinds",
          (controlPlane, namespace) ->
              new LifecycleFixture(TestCluster.real(controlPlane), namespace));
    }
  }
}
