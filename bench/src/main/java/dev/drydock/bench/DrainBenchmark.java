package dev.drydock.bench;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * Time to drain all nodes of a scene, from the start of the program to its end, without the time
 * that the pods themselves take to stop. Where some nodes are blocked no program ends by itself, so
 * there the time is until the others are empty.
 */
record DrainBenchmark(String name, String title, Scene scene, List<Goal> goals)
    implements Benchmark {
  static final Duration LIMIT = Duration.ofMinutes(15);

  DrainBenchmark {
    goals = List.copyOf(goals);
  }

  @Override
  public String unit() {
    return "s";
  }

  @Override
  public int nodes() {
    return scene.nodes();
  }

  @Override
  public Trial run(Stage stage, Nodes nodes, Contestant who, int round) {
    List<Workload> workloads = scene.workloads(nodes);
    Workload.deploy(stage, workloads);
    try (PeerRun run = stage.start(who, nodes.first(scene.nodes()))) {
      return scene.blocked() == 0
          ? untilExit(stage, workloads.getFirst(), run, who, round)
          : untilOthersEmpty(stage, workloads.getFirst(), run, who, round);
    } finally {
      Workload.clear(stage);
      nodes.restore();
    }
  }

  private Trial untilExit(Stage stage, Workload workload, PeerRun run, Contestant who, int round) {
    double exit = run.awaitExit(LIMIT);
    double empty =
        run.secondsUntil(stage.pods().awaitEmpty(workload.nodes(), Duration.ofSeconds(10)));
    stage.pods().awaitQuiet();
    return new Trial(
        who.name(),
        round,
        exit - stopSeconds(),
        Trial.Usage.of(run, workload.size()),
        Map.of("untilExit", exit, "untilEmpty", empty));
  }

  private Trial untilOthersEmpty(
      Stage stage, Workload workload, PeerRun run, Contestant who, int round) {
    double empty = run.secondsUntil(stage.pods().awaitEmpty(workload.nodes(), LIMIT));
    run.assertRunning();
    run.close();
    stage.pods().awaitQuiet();
    return new Trial(
        who.name(),
        round,
        empty - stopSeconds(),
        Trial.Usage.of(run, workload.size()),
        Map.of("untilEmpty", empty));
  }

  @Override
  public OptionalDouble floor(Stage stage, Nodes nodes) {
    List<Workload> workloads = scene.workloads(nodes);
    Workload.deploy(stage, workloads);
    try (IdealClient client = new IdealClient(stage)) {
      double seconds = client.drain(workloads.getFirst());
      return OptionalDouble.of(Math.max(0, seconds - stopSeconds()));
    } finally {
      Workload.clear(stage);
      nodes.restore();
    }
  }

  /** Where nodes are blocked, kubectl stands at the first of them and never asks about the rest. */
  @Override
  public boolean completesDrains() {
    return scene.blocked() == 0;
  }

  private double stopSeconds() {
    return scene.stopAfter().toMillis() / 1e3;
  }
}
