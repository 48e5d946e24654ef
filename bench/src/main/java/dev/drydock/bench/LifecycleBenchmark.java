package dev.drydock.bench;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Time from a LifecycleEvent's creation to its deletion, without the time that the pods themselves
 * take to stop, against a claimer that looks every {@code tick}. Who serves the event runs already.
 */
record LifecycleBenchmark(String name, String title, Scene scene, Duration tick, double times)
    implements Benchmark {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @Override
  public String unit() {
    return "s";
  }

  @Override
  public int nodes() {
    return scene.nodes();
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(name, Goal.Figure.VALUE, Contestant.TICKS, new Goal.TimesBetter(times)));
  }

  /** Its requests are also those of claiming, which a drain by command has not. */
  @Override
  public boolean completesDrains() {
    return false;
  }

  @Override
  public boolean selfChecks() {
    return false;
  }

  @Override
  public Trial run(Stage stage, Nodes nodes, Contestant who, int round) {
    Workload workload = scene.workloads(nodes).getFirst();
    Workload.deploy(stage, List.of(workload));
    try (LifecycleRun run = LifecycleRun.start(stage, nodes.targets().getFirst(), who, tick)) {
      long created = run.create(round);
      double total = (run.watch().awaitSuccess(LIMIT) - created) / 1e9;
      Map<String, Double> details = new HashMap<>(Map.of("untilDeleted", total));
      if (workload.size() > 0) {
        long empty = stage.pods().awaitEmpty(workload.nodes(), Duration.ofSeconds(10));
        details.put("untilEmpty", (empty - created) / 1e9);
      }
      run.agent().assertRunning();
      return new Trial(
          who.name(),
          round,
          total - scene.stopAfter().toMillis() / 1e3,
          new Trial.Usage(0, 0, run.agent().peakKib() / 1024.0),
          Map.copyOf(details));
    } finally {
      Workload.clear(stage);
      nodes.restore();
    }
  }
}
