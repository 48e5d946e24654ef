package dev.drydock.lifecycle;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.RealClusterParameter;
import dev.drydock.testbed.TestCluster;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** LifecycleEvents on the real API server. */
@ClusterTest
@ExtendWith(DrainsOnRealClusterIT.RealPier.class)
class DrainsOnRealClusterIT extends LifecycleContracts {
  @Nested
  class Crashed extends CrashContract.OfADrain {}

  static final class RealPier extends RealClusterParameter<Pier> {
    RealPier() {
      super(
          Pier.class,
          "pier",
          (controlPlane, namespace) -> new Pier(TestCluster.real(controlPlane), namespace));
    }
  }
}
