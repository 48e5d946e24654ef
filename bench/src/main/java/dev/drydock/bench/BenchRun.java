package dev.drydock.bench;

import dev.drydock.cli.ProgressDisplay;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Runs benchmarks one by one; the contestants alternate in going first. */
final class BenchRun {
  private final BenchCluster cluster;
  private final List<Contestant> contestants;
  private final int rounds;
  private final ProgressDisplay display;

  BenchRun(
      BenchCluster cluster, List<Contestant> contestants, int rounds, ProgressDisplay display) {
    this.cluster = cluster;
    this.contestants = contestants;
    this.rounds = rounds;
    this.display = display;
  }

  /** The measurements until the end or until a failure. */
  record Outcome(List<Result> results, @Nullable String failure) {}

  /** A failure ends the run; earlier measurements are kept. */
  Outcome all(List<Benchmark> benchmarks) {
    List<Result> results = new ArrayList<>();
    try {
      warmUp();
      for (Benchmark benchmark : benchmarks) {
        results.add(run(benchmark));
      }
      return new Outcome(results, null);
    } catch (BenchFailure | KubernetesClientException e) {
      display.fail();
      return new Outcome(results, e.getMessage());
    }
  }

  /** The costs of a first run, such as discovery and start-up caches, are not measured. */
  private void warmUp() {
    display.step("Warming up");
    Benchmark small = new DrainBenchmark("warm-up", "", new DrainScenario(2, 5), List.of());
    try (BenchNodes nodes = BenchNodes.start(cluster, small.name(), small.nodes())) {
      contestants.stream()
          .filter(Contestant::drains)
          .forEach(who -> show(small, small.run(cluster, nodes, who, 0)));
    }
  }

  private Result run(Benchmark benchmark) {
    display.step(benchmark.name() + ": " + benchmark.title());
    display.detail("%d nodes are starting".formatted(benchmark.nodes()));
    try (BenchNodes nodes = BenchNodes.start(cluster, benchmark.name(), benchmark.nodes())) {
      List<Double> floors = new ArrayList<>();
      List<Trial> trials = trials(benchmark, nodes, floors);
      return new Result(
          benchmark.name(),
          benchmark.title(),
          benchmark.unit(),
          benchmark.completesDrains(),
          floors.isEmpty() ? null : Statistics.median(floors),
          trials);
    }
  }

  private List<Trial> trials(Benchmark benchmark, BenchNodes nodes, List<Double> floors) {
    List<Contestant> order =
        new ArrayList<>(contestants.stream().filter(who -> takesPart(who, benchmark)).toList());
    List<Trial> trials = new ArrayList<>();
    try {
      for (int round = 1; round <= rounds; round++) {
        int currentRound = round;
        OptionalDouble floor = benchmark.floor(cluster, nodes);
        floor.ifPresent(
            value -> {
              floors.add(value);
              display.detail("floor: %.3f %s".formatted(value, benchmark.unit()));
              if (isAgainst(Contestant.FLOOR, benchmark)) {
                trials.add(Trial.ofFloor(currentRound, value));
              }
            });
        for (Contestant who : order) {
          display.detail("round %d of %d: %s".formatted(round, rounds, who.name()));
          Trial trial = benchmark.run(cluster, nodes, who, round);
          show(benchmark, trial);
          trials.add(trial);
        }
        Collections.rotate(order, 1);
      }
      return trials;
    } finally {
      if (cluster.pods().count() > 0) {
        BenchWorkload.clear(cluster);
      }
    }
  }

  private static boolean takesPart(Contestant who, Benchmark benchmark) {
    return who.name().equals(Contestant.DRYDOCK) || isAgainst(who.name(), benchmark);
  }

  private static boolean isAgainst(String name, Benchmark benchmark) {
    return benchmark.goals().stream().anyMatch(goal -> goal.against().equals(name));
  }

  private void show(Benchmark benchmark, Trial trial) {
    display.detail(
        "%s: %.3f %s, %d requests for %d pods, %.0f MiB%s"
            .formatted(
                trial.contestant(),
                trial.value(),
                benchmark.unit(),
                trial.usage().requests(),
                trial.usage().drainedPods(),
                trial.usage().memoryMib(),
                details(trial)));
  }

  private static String details(Trial trial) {
    return new TreeMap<>(trial.details())
        .entrySet().stream()
            .map(detail -> ", %s %.3f".formatted(detail.getKey(), detail.getValue()))
            .collect(Collectors.joining());
  }
}
