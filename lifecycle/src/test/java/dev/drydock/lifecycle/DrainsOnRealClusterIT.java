package dev.drydock.lifecycle;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** LifecycleEvents on the real API server. */
@ClusterTest
@ExtendWith(DrainsOnRealClusterIT.RealPier.class)
class DrainsOnRealClusterIT extends LifecycleContracts {
  @Nested
  class Crashed extends LifecycleCrashContract.OfADrain {}

  static final class RealPier extends RealClusterParameter<LifecycleFixture> {
    RealPier() {
      super(
          LifecycleFixture.class,
          "pier",
          (controlPlane, namespace) ->
              new LifecycleFixture(TestCluster.real(controlPlane), namespace));
    }
  }
}
