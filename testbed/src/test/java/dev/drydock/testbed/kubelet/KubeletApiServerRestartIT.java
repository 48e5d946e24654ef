package dev.drydock.testbed.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.kubelet.Knob;
import dev.drydock.testbed.ClusterTest;
import dev.drydock.testbed.ControlPlane;
import dev.drydock.testbed.TestNamespace;
import io.fabric8.kubernetes.client.dsl.PodResource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

@ClusterTest
class KubeletApiServerRestartIT {
  @Test
  void workGoesOnWhenTheApiServerIsBack(ControlPlane cluster, TestNamespace namespace) {
    try (TestFleet fleet = new TestFleet(cluster, namespace.name())) {
      List<String> nodes = fleet.register(5);
      List<PodResource> slow = new ArrayList<>();
      for (String node : nodes) {
        slow.add(fleet.run("slow-on-" + node, node, "sim.drydock.dev/ready-after", "4s"));
      }
      PodResource ending =
          fleet.run("ending", nodes.getFirst(), "sim.drydock.dev/stop-after", "4s");
      fleet.awaitReady(ending);
      ending.delete();

      cluster.restartApiServer();

      slow.forEach(fleet::awaitReady);
      fleet.awaitGone(ending);
      PodResource fresh = fleet.run("fresh", nodes.getLast());
      fleet.awaitReady(fresh);
      fleet.annotate("node", nodes.getLast(), Knob.REBOOT, "1");
      TestFleet.eventually(
          () ->
              assertThat(
                      fresh
                          .require()
                          .getStatus()
                          .getContainerStatuses()
                          .getFirst()
                          .getRestartCount())
                  .isEqualTo(1));
      fleet.awaitReady(fresh);
    }
  }
}
