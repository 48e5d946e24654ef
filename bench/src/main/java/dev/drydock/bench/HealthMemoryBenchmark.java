package dev.drydock.bench;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** Resident memory of the operator after many events, as it is, without asking for a collection. */
record HealthMemoryBenchmark(int events) implements ServingBenchmark {
  private static final int NODES = 1000;
  private static final double MOST_MIB = 256;

  @Override
  public String name() {
    return "health-memory";
  }

  @Override
  public String title() {
    return "resident memory of the operator after %,d health events".formatted(events);
  }

  @Override
  public String unit() {
    return "MiB";
  }

  @Override
  public int nodes() {
    return 0;
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(name(), Goal.Figure.VALUE, Contestant.DRYDOCK, new Goal.AtMost(MOST_MIB, unit())));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    try (HealthFolder folder = new HealthFolder(cluster.folder().resolve("store"));
        HealthRun run = HealthRun.start(cluster, who, "n-0", folder)) {
      int half = events / 2 / HealthRun.BATCH;
      send(run, half);
      run.awaitStored((long) half * HealthRun.BATCH + 1);
      double halfway = resident(run);
      send(run, half);
      run.awaitStored(2L * half * HealthRun.BATCH + 1);
      double resident = resident(run);
      run.assertRunning();
      return new Trial(
          who.name(),
          round,
          resident,
          new Trial.Usage(0, 0, run.operatorPeakMib()),
          Map.of("halfway", halfway));
    }
  }

  private static double resident(HealthRun run) {
    return ProcessMemory.resident(run.operatorPid()).orElseThrow() / 1024.0;
  }

  private static void send(HealthRun run, int batches) {
    run.sendAll(
        batches,
        number ->
            IntStream.range(0, HealthRun.BATCH)
                .mapToObj(i -> run.healthy("n-" + (number * HealthRun.BATCH + i) % NODES))
                .toList());
  }
}
