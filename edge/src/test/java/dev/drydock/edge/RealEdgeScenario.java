package dev.drydock.edge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.testbed.ControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Two machines of a real cluster for each test, with exactly the rights of the manifests. */
abstract class RealEdgeScenario {
  @TempDir Path folder;
  EdgeFixture edge;
  String name;

  @BeforeEach
  void cluster(ControlPlane controlPlane, TestInfo test) {
    name = "edge-it-" + Integer.toHexString(test.getDisplayName().hashCode());
    edge = EdgeFixture.real(controlPlane, folder, name);
  }

  @AfterEach
  void end() {
    edge.close();
  }

  void apply(String yaml) {
    var _ = edge.cluster.kubectl(yaml, "apply", "-f", "-").output();
  }

  void delete(String kind) {
    var _ = edge.cluster.kubectl("", "delete", kind, name, "-n", "default").output();
  }

  void awaitWaits(String text) {
    edge.eventually()
        .untilAsserted(() -> assertThat(Files.readString(edge.paths.progress())).contains(text));
  }

  void awaitCommands(String... commands) {
    edge.eventually().untilAsserted(() -> assertThat(edge.commands).containsExactly(commands));
  }

  List<Pod> pods() {
    return edge.cluster
        .client()
        .pods()
        .inNamespace("default")
        .withLabel("app", name)
        .list()
        .getItems();
  }
}
