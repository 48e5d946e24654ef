package dev.drydock.bench;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/**
 * The same path as {@link HealthIngestBenchmark} at a steady rate: from the making of an event
 * until it is in the store, 99th percentile.
 */
record HealthDelayBenchmark(int perSecond, Duration time) implements ServingBenchmark {
  private static final double MOST_MILLIS = 50;
  private static final int BATCH = 10;
  private static final double PART = 0.99;

  @Override
  public String name() {
    return "health-delay";
  }

  @Override
  public String title() {
    return "%,d health events/s in batches of %d: from made to stored, 99th percentile"
        .formatted(perSecond, BATCH);
  }

  @Override
  public String unit() {
    return "ms";
  }

  @Override
  public int nodes() {
    return 0;
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(
            name(), Goal.Figure.VALUE, Contestant.DRYDOCK, new Goal.AtMost(MOST_MILLIS, unit())));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    try (HealthFolder folder = new HealthFolder(cluster.folder().resolve("store"));
        HealthRun run = HealthRun.start(cluster, who, "n-0", folder)) {
      List<Double> warmUp = send(cluster, run);
      List<Double> calls = send(cluster, run);
      run.awaitStored(1L + (long) BATCH * (warmUp.size() + calls.size()));
      run.assertRunning();
      List<Double> delays = HealthRun.delays(folder.store());
      List<Double> measured = delays.subList(warmUp.size() * BATCH, delays.size());
      return new Trial(
          who.name(),
          round,
          Statistics.percentile(measured, PART),
          run.usage(),
          Map.of(
              "median",
              Statistics.median(measured),
              "acknowledgedP99",
              Statistics.percentile(calls, PART)));
    }
  }

  /** The duration of each call in milliseconds; a call does not wait for the one before it. */
  private List<Double> send(BenchCluster cluster, HealthRun run) {
    int batches = (int) (time.toSeconds() * perSecond / BATCH);
    List<Future<Double>> calls = new ArrayList<>();
    try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      long started = System.nanoTime();
      for (int i = 0; i < batches; i++) {
        long due = started + Duration.ofSeconds(1).toNanos() * i * BATCH / perSecond;
        cluster.pods().pause(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
        calls.add(callers.submit(() -> call(run)));
      }
    }
    return calls.stream()
        .map(call -> BenchFailure.get(call, Duration.ofMinutes(1), "a batch was not taken"))
        .toList();
  }

  private static double call(HealthRun run) {
    long started = System.nanoTime();
    run.send(IntStream.range(0, BATCH).mapToObj(i -> run.healthy("n-" + i)).toList());
    return (System.nanoTime() - started) / 1e6;
  }
}
