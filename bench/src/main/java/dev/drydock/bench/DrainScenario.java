package dev.drydock.bench;

import dev.drydock.bench.BenchWorkload.Traits;
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
record DrainScenario(
    int nodes, int podsPerNode, int blocked, Duration stopAfter, @Nullable Integer maxUnavailable) {
  DrainScenario(int nodes, int podsPerNode) {
    this(nodes, podsPerNode, 0, Duration.ZERO, null);
  }

  DrainScenario withBlocked(int count) {
    return new DrainScenario(nodes, podsPerNode, count, stopAfter, maxUnavailable);
  }

  DrainScenario withStopAfter(Duration time) {
    return new DrainScenario(nodes, podsPerNode, blocked, time, maxUnavailable);
  }

  DrainScenario withMaxUnavailable(int count) {
    return new DrainScenario(nodes, podsPerNode, blocked, stopAfter, count);
  }

  int drainable() {
    return nodes - blocked;
  }

  /** First the workload that can go, then the one that cannot, if any. */
  List<BenchWorkload> workloads(BenchNodes targets) {
    Map<Knob, String> knobs =
        stopAfter.isZero() ? Map.of() : Map.of(Knob.STOP_AFTER, stopAfter.toMillis() + "ms");
    List<BenchWorkload> workloads = new ArrayList<>();
    Traits traits = new Traits(knobs, maxUnavailable, maxUnavailable != null);
    workloads.add(new BenchWorkload("web", targets.first(drainable()), podsPerNode, traits));
    if (blocked > 0) {
      List<String> last = targets.targets().subList(drainable(), nodes);
      workloads.add(new BenchWorkload("held", last, podsPerNode, new Traits(knobs, 0, true)));
    }
    return workloads;
  }
}
