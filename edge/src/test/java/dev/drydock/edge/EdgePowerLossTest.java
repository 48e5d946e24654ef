package dev.drydock.edge;

import dev.drydock.edge.decide.EdgeOperation;
import dev.drydock.edge.decide.NodeDrainState;
import dev.drydock.testkit.TestCluster;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine that loses its power in any state of its drain, in virtual time. */
class EdgePowerLossTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void powerLossAtEveryStateLosesNothing(boolean keepsRun) {
    try (EdgeFixture edge = new EdgeFixture(TestCluster.simulated(), folder)) {
      for (EdgeOperation operation : List.of(EdgeOperation.UPDATE, EdgeOperation.REBOOT)) {
        for (NodeDrainState state : PowerLoss.STATES) {
          PowerLoss.at(edge, state, operation, keepsRun);
        }
      }
    }
  }
}
