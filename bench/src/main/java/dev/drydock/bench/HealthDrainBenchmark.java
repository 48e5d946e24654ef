package dev.drydock.bench;

import dev.drydock.contracts.CrdCatalog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Nodes with a pod each fail one after the other at a steady rate: from the cordon of a node until
 * it is said to be drained, without the time that the pod itself takes to stop. Median.
 *
 * @param every the time from one failure to the next
 * @param stopAfter how long a pod takes to stop
 */
record HealthDrainBenchmark(int nodes, Duration every, Duration stopAfter)
    implements ServingBenchmark {
  private static final double MOST_MILLIS = 300;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** All pods go at once. */
  private static final String IMMEDIATE =
      """
      evictionTimeoutInSeconds = "60"
      [[userNamespaces]]
      name = "*"
      mode = "Immediate"
      """;

  /** Writes the node drainer's file. */
  static Path immediate(Path folder) {
    try {
      return Files.writeString(folder.resolve("node-drainer.toml"), IMMEDIATE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public String name() {
    return "health-drain";
  }

  @Override
  public String title() {
    return "%d nodes with a pod each fail at %.1f/s: from cordoned to drained, above the pod's %d s to stop, median"
        .formatted(nodes, 1e3 / every.toMillis(), stopAfter.toSeconds());
  }

  @Override
  public String unit() {
    return "ms";
  }

  @Override
  public String anchor() {
    return "10.1 s";
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(
            name(), Goal.Figure.VALUE, Contestant.DRYDOCK, new Goal.AtMost(MOST_MILLIS, unit())));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    BenchDefinitions.apply(cluster.client(), CrdCatalog.KINDS);
    DrainScenario scenario = new DrainScenario(nodes, 1).withStopAfter(stopAfter);
    BenchWorkload.deploy(cluster, scenario.workloads(targets));
    HealthRun.Setup setup = HealthRun.Setup.draining(immediate(cluster.folder()));
    try (HealthFolder folder = new HealthFolder(cluster.folder().resolve("store"));
        HealthRun run = HealthRun.start(cluster, who, targets.spare(), folder, setup);
        CordonWatch watch = new CordonWatch(cluster.client())) {
      for (String node : targets.targets()) {
        run.send(List.of(run.fatal(node)));
        cluster.pods().pause(every);
      }
      List<Double> times =
          watch.awaitDrained(targets.targets(), LIMIT).values().stream()
              .map(time -> time - stopAfter.toMillis())
              .toList();
      run.assertRunning();
      return new Trial(
          who.name(),
          round,
          Statistics.median(times),
          run.usage(),
          Map.of(
              "p99", Statistics.percentile(times, 0.99), "most", Statistics.percentile(times, 1)));
    } finally {
      BenchWorkload.clear(cluster);
      targets.restore();
    }
  }
}
