package dev.drydock.bench;

import dev.drydock.bench.Workload.Traits;
import dev.drydock.sim.kubelet.Knob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is on the nodes before a drain: the same number of pods on each; on the last {@code blocked}
 * ones, pods that a budget lets nobody evict. Where a budget counts, pods are replaced; elsewhere
 * they are not, because what replaces them would do so on other machines, and here it would take
 * the processor away from whoever drains fastest.
 */
record Scene(
    int nodes, int podsPerNode, int blocked, Duration stopAfter, @Nullable Integer maxUnavailable) {
  Scene(int nodes, int podsPerNode) {
    this(nodes, podsPerNode, 0, Duration.ZERO, null);
  }

  Scene withBlocked(int count) {
    return new Scene(nodes, podsPerNode, count, stopAfter, maxUnavailable);
  }

  Scene withStopAfter(Duration time) {
    return new Scene(nodes, podsPerNode, blocked, time, maxUnavailable);
  }

  Scene withMaxUnavailable(int count) {
    return new Scene(nodes, podsPerNode, blocked, stopAfter, count);
  }

  int drainable() {
    return nodes - blocked;
  }

  /** First the workload that can go, then the one that cannot, if any. */
  List<Workload> workloads(Nodes targets) {
    Map<Knob, String> knobs =
        stopAfter.isZero() ? Map.of() : Map.of(Knob.STOP_AFTER, stopAfter.toMillis() + "ms");
    List<Workload> workloads = new ArrayList<>();
    Traits traits = new Traits(knobs, maxUnavailable, maxUnavailable != null);
    workloads.add(new Workload("web", targets.first(drainable()), podsPerNode, traits));
    if (blocked > 0) {
      List<String> last = targets.targets().subList(drainable(), nodes);
      workloads.add(new Workload("held", last, podsPerNode, new Traits(knobs, 0, true)));
    }
    return workloads;
  }
}
