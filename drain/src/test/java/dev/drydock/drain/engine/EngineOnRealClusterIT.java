package dev.drydock.drain.engine;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;

/** The engine on the real API server. */
@ClusterTest
@ExtendWith(EngineOnRealClusterIT.Fixture.class)
class EngineOnRealClusterIT extends EngineContracts {
  static final class Fixture extends RealClusterParameter<DrainFixture> {
    Fixture() {
      super(
          DrainFixture.class,
          "engine",
          (controlPlane, namespace) -> new DrainFixture(TestCluster.real(controlPlane), namespace));
    }
  }
}
