package dev.drydock.drain.engine;

import dev.drydock.testbed.ClusterTest;
import dev.drydock.testkit.RealClusterParameter;
import dev.drydock.testkit.TestCluster;
import org.junit.jupiter.api.extension.ExtendWith;

/** The engine on the real API server. */
@ClusterTest
@ExtendWith(EngineOnRealClusterIT.RealScene.class)
class EngineOnRealClusterIT extends EngineContracts {
  static final class RealScene extends RealClusterParameter<DrainFixture> {
    RealScene() {
      super(
          DrainFixture.class,
          "engine",
          (controlPlane, namespace) -> new DrainFixture(TestCluster.real(controlPlane), namespace));
    }
  }
}
