package dev.drydock.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Time from a LifecycleEvent's creation to its deletion, without the time that the pods themselves
 * take to stop, compared with a claimer that polls every {@code tick}. The agents are already
 * running.
 */
record LifecycleBenchmark(
    String name, String title, DrainScenario scenario, Duration tick, double times)
    implements ServingBenchmark {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @Override
  public int nodes() {
    return scenario.nodes();
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(name, Goal.Figure.VALUE, Contestant.TICKS, new Goal.TimesBetter(times)));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes nodes, Contestant who, int round) {
    BenchWorkload workload = scenario.workloads(nodes).getFirst();
    BenchWorkload.deploy(cluster, List.of(workload));
    try (LifecycleRun run = LifecycleRun.start(cluster, nodes.targets().getFirst(), who, tick)) {
      long created = run.create(round);
      double total = (run.watch().awaitSuccess(LIMIT) - created) / 1e9;
      Map<String, Double> details = new HashMap<>(Map.of("untilDeleted", total));
      if (workload.size() > 0) {
        long empty = cluster.pods().awaitEmpty(workload.nodes(), Duration.ofSeconds(10));
        details.put("untilEmpty", (empty - created) / 1e9);
      }
      run.agent().assertRunning();
      return new Trial(
          who.name(),
          round,
          total - scenario.stopSeconds(),
          new Trial.Usage(0, 0, run.agent().peakKib() / 1024.0),
          Map.copyOf(details));
    } finally {
      BenchWorkload.clear(cluster);
      nodes.restore();
    }
  }
}
