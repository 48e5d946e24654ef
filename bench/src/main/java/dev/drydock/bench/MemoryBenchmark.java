package dev.drydock.bench;

import dev.drydock.bench.BenchWorkload.Traits;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Resident memory of a drain of some nodes in a large cluster, while budgets block it, after a
 * garbage collection where that is possible.
 */
record MemoryBenchmark(int nodes, int podsPerNode, int drained, Duration hold)
    implements Benchmark {
  private static final double MOST_MIB = 160;

  @Override
  public String name() {
    return "memory";
  }

  @Override
  public String title() {
    return "resident memory while %d of %,d nodes (%,d pods) drain"
        .formatted(drained, nodes, nodes * podsPerNode);
  }

  @Override
  public String unit() {
    return "MiB";
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(name(), Goal.Figure.VALUE, Contestant.KUBECTL, new Goal.AtMost(MOST_MIB, unit())));
  }

  @Override
  public boolean completesDrains() {
    return false;
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    List<String> first = targets.first(drained);
    if (cluster.pods().count()
        == 0) { // no pod leaves during a run, so all rounds can use the same ones
      List<String> others = targets.targets().subList(drained, nodes);
      BenchWorkload.deploy(
          cluster,
          List.of(
              new BenchWorkload("held", first, podsPerNode, new Traits(Map.of(), 0, true)),
              new BenchWorkload("other", others, podsPerNode, Traits.PLAIN)));
    }
    try (PeerRun run = cluster.start(who, first)) {
      targets.awaitCordoned(first);
      cluster.pods().pause(hold);
      run.assertRunning();
      long pid = run.pids().getFirst();
      who.peer().collectGarbage(pid);
      double resident = ProcessMemory.resident(pid).orElseThrow() / 1024.0;
      Trial.Usage usage = Trial.Usage.of(run, 0);
      return new Trial(who.name(), round, resident, usage, Map.of("peak", usage.memoryMib()));
    } finally {
      targets.restore();
    }
  }
}
