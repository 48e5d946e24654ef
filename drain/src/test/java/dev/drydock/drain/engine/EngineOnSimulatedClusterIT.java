package dev.drydock.drain.engine;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.SimulatedClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.extension.ExtendWith;

/** The engine on the simulated cluster: a difference from the real one is a bug of this one. */
@ClusterTest // for the real kubectl
@ExtendWith(EngineOnSimulatedClusterIT.Fixture.class)
class EngineOnSimulatedClusterIT extends EngineContracts {
  @Nested
  class Crashed extends DrainCrashContract {}

  static final class Fixture extends SimulatedClusterParameter<DrainFixture> {
    Fixture() {
      super(DrainFixture.class, () -> new DrainFixture(TestCluster.simulated(), "default"));
    }
  }
}
