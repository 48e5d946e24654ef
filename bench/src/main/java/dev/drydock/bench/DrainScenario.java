package dev.drydock.bench;

import dev.drydock.bench.BenchWorkload.Traits;
import dev.drydock.sim.kubelet.Knob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The pods on the nodes before a drain: the same number on each; on the last {@code blocked} nodes,
 * pods that a budget keeps from being evicted. Pods are replaced only if a budget counts them: in
 * production replacements start on other machines, but here they would take CPU time from the
 * fastest contestant.
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

  double stopSeconds() {
    return stopAfter.toMillis() / 1e3;
  }

  int drainable() {
    return nodes - blocked;
  }

  /** First the workload that can be evicted, then the blocked one, if any. */
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
