package dev.drydock.app.history;

import dev.drydock.app.CommandScene;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import org.junit.jupiter.api.BeforeEach;

/** On the real API server. */
@ClusterTest
class HistoryCommandIT extends HistoryContract {
  @BeforeEach
  void open(ControlPlane cluster, TestNamespace namespace) {
    scene = CommandScene.real(cluster, namespace.name());
  }
}
