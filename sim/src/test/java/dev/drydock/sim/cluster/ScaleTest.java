package dev.drydock.sim.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.sim.SimulatedCluster;
import dev.drydock.sim.SimulatedCluster.Effort;
import dev.drydock.sim.SimulatedCluster.Settings;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.Knob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The cost of a large cluster, counted in processed items and writes, not in time. */
class ScaleTest {
  private static final int NODES = 400;
  private static final int PODS_PER_NODE = 10;
  private static final int RACK = 20;

  private static SimulatedCluster loaded(int nodes) {
    SimulatedCluster cluster = SimulatedCluster.stepped(Settings.defaults(), SteppedCluster.START);
    cluster.load(FleetFile.of(nodes, PODS_PER_NODE));
    return cluster;
  }

  private static void failRack(SimulatedCluster cluster) {
    for (int i = 0; i < RACK; i++) {
      cluster.patch(
          "Node",
          "",
          "node-" + i,
          "",
          SteppedCluster.yaml(
              "{metadata: {annotations: {'%s': 'true'}}}".formatted(Knob.SILENT.annotation())));
    }
    cluster.advance(Duration.ofMinutes(10));
  }

  private static Effort costOfRackFailure(int nodes) {
    try (SimulatedCluster cluster = loaded(nodes)) {
      Effort before = cluster.effort();
      failRack(cluster);
      Effort after = cluster.effort();
      return new Effort(after.looks() - before.looks(), after.nodeChecks() - before.nodeChecks());
    }
  }

  @Test
  void whatIsLoadedRunsOnWithoutAWord() {
    try (SimulatedCluster cluster =
        SimulatedCluster.stepped(Settings.defaults(), SteppedCluster.START)) {
      List<String> changes = new ArrayList<>();
      cluster.listen(
          event -> {
            if (event.resource().equals("pods.") && event.previous() != null) {
              changes.add(event.toString());
            }
          });
      cluster.load(FleetFile.of(NODES, PODS_PER_NODE));

      assertThat(changes).isEmpty();
      assertThat(cluster.podsOn("node-0")).hasSize(PODS_PER_NODE);
      assertThat(cluster.effort().looks()).isLessThan(10L * NODES * PODS_PER_NODE);
      assertThat(
              JsonTrees.at(
                      cluster.get("PodDisruptionBudget", "apps", "app-0").body(),
                      "status",
                      "disruptionsAllowed")
                  .asInt())
          .isEqualTo(10);
      assertThat(cluster.nextTimer()).as("an idle cluster waits for nothing").isNull();
    }
  }

  @Test
  void theFailureOfARackCostsTheSameInALargerCluster() {
    Effort small = costOfRackFailure(NODES / 4);
    Effort large = costOfRackFailure(NODES);

    int pods = RACK * PODS_PER_NODE;
    assertThat(small.looks()).isLessThan(100L * pods);
    assertThat(large.looks()).isLessThan(2 * small.looks());
    assertThat(large.nodeChecks()).isLessThan(100L * pods);
  }

  @Test
  void thePodsOfAFailedRackAreReplacedElsewhere() {
    try (SimulatedCluster cluster = loaded(200)) {
      failRack(cluster);

      long ready =
          cluster
              .list("Pod", "apps", "")
              .body()
              .path("items")
              .valueStream()
              .filter(
                  pod ->
                      JsonTrees.at(pod, "status", "conditions")
                          .valueStream()
                          .anyMatch(
                              each ->
                                  JsonTrees.text(each, "type").equals("Ready")
                                      && JsonTrees.text(each, "status").equals("True")))
              .count();
      assertThat(ready).isEqualTo(200L * PODS_PER_NODE);
    }
  }
}
