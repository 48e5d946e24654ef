package dev.drydock.lifecycle;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.SimulatedClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;

/** The kinds on the simulated cluster: a difference from the real one is a bug of this one. */
@ClusterTest // for the real kubectl
@ExtendWith(KindsOnSimulatedClusterIT.Fixture.class)
class KindsOnSimulatedClusterIT extends KindsContract {
  static final class Fixture extends SimulatedClusterParameter<LifecycleFixture> {
    Fixture() {
      super(LifecycleFixture.class, () -> new LifecycleFixture(TestCluster.simulated(), "default"));
    }
  }
}
