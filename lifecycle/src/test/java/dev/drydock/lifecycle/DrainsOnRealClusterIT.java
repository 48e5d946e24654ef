package dev.drydock.lifecycle;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;

/** LifecycleEvents on the real API server. */
@ClusterTest
@ExtendWith(DrainsOnRealClusterIT.Fixture.class)
class DrainsOnRealClusterIT extends LifecycleContracts {
  static final class Fixture extends RealClusterParameter<LifecycleFixture> {
    Fixture() {
      super(
          LifecycleFixture.class,
          "lifecycle",
          (controlPlane, namespace) ->
              new LifecycleFixture(TestCluster.real(controlPlane), namespace));
    }
  }
}
