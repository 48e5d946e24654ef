package dev.drydock.testbed.kubelet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.drydock.sim.kubelet.Knob;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Takes most of a minute, because the control plane waits that long before it marks a node
 * unreachable.
 */
@ClusterTest
class SilentNodeIT {
  @Test
  void aSilentNodeIsGivenUpAndComesBackWhenItSpeaks(ControlPlane cluster, TestNamespace namespace) {
    try (TestFleet fleet = new TestFleet(cluster, namespace.name())) {
      List<String> nodes = fleet.register(2);
      String silent = nodes.getFirst();
      String talking = nodes.getLast();
      PodResource kept = fleet.run("kept", silent);
      PodResource deleted = fleet.run("deleted", silent);
      fleet.awaitReady(kept);
      fleet.awaitReady(deleted);

      fleet.annotate("node", silent, Knob.SILENT, "true");
      // Nodes and pods come by two watches: a running process may see the deletion first.
      fleet.restart();
      fleet.register(2);
      deleted.delete();

      await()
          .atMost(Duration.ofMinutes(5))
          .untilAsserted(
              () -> assertThat(fleet.nodeCondition(silent, "Ready")).isEqualTo("Unknown"));
      assertThat(fleet.nodeCondition(talking, "Ready")).isEqualTo("True");
      assertThat(deleted.require().getStatus().getPhase()).isEqualTo("Running");
      TestFleet.eventually(() -> assertThat(TestFleet.isReady(kept.require())).isFalse());

      fleet.annotate("node", silent, Knob.SILENT, null);

      TestFleet.eventually(
          () -> assertThat(fleet.nodeCondition(silent, "Ready")).isEqualTo("True"));
      fleet.awaitGone(deleted);
      fleet.awaitReady(kept);
    }
  }
}
