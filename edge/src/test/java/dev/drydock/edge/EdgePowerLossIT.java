package dev.drydock.edge;

import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine that loses its power in any state of its drain, on a real API server. */
@ClusterTest
class EdgePowerLossIT {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noUpdateIsLost(boolean keepsRun, ControlPlane controlPlane) {
    try (EdgeFixture edge =
        EdgeFixture.real(controlPlane, folder, "edge-power-" + keepsRun).inFastTime()) {
      for (NodeDrainState state : PowerLoss.STATES) {
        PowerLoss.at(edge, state, EdgeOperation.UPDATE, keepsRun);
      }
    }
  }
}
