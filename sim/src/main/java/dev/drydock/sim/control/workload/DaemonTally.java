package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.control.PodQueries;
import dev.drydock.sim.json.JsonTrees;
import java.util.List;
import java.util.function.BiPredicate;

/** One node's contribution to the status of a DaemonSet. */
record DaemonTally(boolean desired, int pods, boolean ready, boolean available, boolean updated) {
  static final DaemonTally NONE = new DaemonTally(false, 0, false, false, false);

  static DaemonTally of(
      List<ObjectNode> pods,
      boolean desired,
      String revision,
      BiPredicate<ObjectNode, ObjectNode> available,
      ObjectNode set) {
    return new DaemonTally(
        desired,
        pods.size(),
        pods.stream().anyMatch(PodQueries::isReady),
        pods.stream().anyMatch(pod -> available.test(pod, set)),
        pods.stream()
            .anyMatch(
                pod ->
                    JsonTrees.text(pod, "metadata", "labels", DaemonPods.REVISION)
                        .equals(revision)));
  }

  /** The sum over all nodes. */
  record Sum(
      int desired,
      int current,
      int misplaced,
      int ready,
      int available,
      int updated,
      int outdated) {
    static final Sum NOTHING = new Sum(0, 0, 0, 0, 0, 0, 0);

    int unavailable() {
      return Math.max(0, desired - available);
    }

    Sum plus(DaemonTally node, int sign) {
      boolean runs = node.desired && node.pods > 0;
      return new Sum(
          desired + (node.desired ? sign : 0),
          current + (runs ? sign : 0),
          misplaced + (!node.desired && node.pods > 0 ? sign : 0),
          ready + (runs && node.ready ? sign : 0),
          available + (runs && node.available ? sign : 0),
          updated + (runs && node.updated ? sign : 0),
          outdated + (runs && !node.updated ? sign : 0));
    }
  }
}
