package dev.drydock.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Time to drain all nodes of a scenario, from the start of the program to its end, without the time
 * that the pods themselves take to stop. If some nodes are blocked no program ends by itself, so
 * the time ends when the other nodes are empty.
 */
record DrainBenchmark(String name, String title, DrainScenario scenario, List<Goal> goals)
    implements Benchmark {
  static final Duration LIMIT = Duration.ofMinutes(15);

  DrainBenchmark {
    goals = List.copyOf(goals);
  }

  @Override
  public int nodes() {
    return scenario.nodes();
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes nodes, Contestant who, int round) {
    List<BenchWorkload> workloads = scenario.workloads(nodes);
    BenchWorkload.deploy(cluster, workloads);
    try (PeerRun run = cluster.start(who, nodes.first(scenario.nodes()))) {
      return scenario.blocked() == 0
          ? untilExit(cluster, workloads.getFirst(), run, who, round)
          : untilOthersEmpty(cluster, workloads.getFirst(), run, who, round);
    } finally {
      BenchWorkload.clear(cluster);
      nodes.restore();
    }
  }

  private Trial untilExit(
      BenchCluster cluster, BenchWorkload workload, PeerRun run, Contestant who, int round) {
    double exit = run.awaitExit(LIMIT);
    double empty =
        run.secondsUntil(cluster.pods().awaitEmpty(workload.nodes(), Duration.ofSeconds(10)));
    cluster.pods().awaitQuiet();
    return new Trial(
        who.name(),
        round,
        exit - scenario.stopSeconds(),
        Trial.Usage.of(run, workload.size()),
        Map.of("untilExit", exit, "untilEmpty", empty));
  }

  private Trial untilOthersEmpty(
      BenchCluster cluster, BenchWorkload workload, PeerRun run, Contestant who, int round) {
    double empty = run.secondsUntil(cluster.pods().awaitEmpty(workload.nodes(), LIMIT));
    run.assertRunning();
    run.close();
    cluster.pods().awaitQuiet();
    return new Trial(
        who.name(),
        round,
        empty - scenario.stopSeconds(),
        Trial.Usage.of(run, workload.size()),
        Map.of("untilEmpty", empty));
  }

  @Override
  public OptionalDouble floor(BenchCluster cluster, BenchNodes nodes) {
    List<BenchWorkload> workloads = scenario.workloads(nodes);
    BenchWorkload.deploy(cluster, workloads);
    try (IdealClient client = new IdealClient(cluster)) {
      double seconds = client.drain(workloads.getFirst());
      return OptionalDouble.of(Math.max(0, seconds - scenario.stopSeconds()));
    } finally {
      BenchWorkload.clear(cluster);
      nodes.restore();
    }
  }

  /** With blocked nodes, kubectl waits at the first of them and sends no requests for the rest. */
  @Override
  public boolean completesDrains() {
    return scenario.blocked() == 0;
  }
}
