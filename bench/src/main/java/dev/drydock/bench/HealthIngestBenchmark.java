package dev.drydock.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Events through the socket of a connector, its spool and the central ingest into the store,
 * everything forced to disk: how many in a second. They are about a hundred nodes that are well, as
 * most events are.
 *
 * @param database whether the store is PostgreSQL instead of the embedded one
 */
record HealthIngestBenchmark(int events, boolean database, double least, String anchor)
    implements ServingBenchmark {
  private static final int NODES = 100;

  /** The pool's default, and one that listens. */
  private static final double MOST_CONNECTIONS = 11;

  @Override
  public String name() {
    return database ? "health-ingest-postgresql" : "health-ingest";
  }

  @Override
  public String title() {
    return "%,d health events in batches of %d: stored%s per second"
        .formatted(events, HealthRun.BATCH, database ? " in PostgreSQL" : "");
  }

  @Override
  public String unit() {
    return "events/s";
  }

  /** The events' nodes need not exist to be stored. */
  @Override
  public int nodes() {
    return 0;
  }

  @Override
  public List<Goal> goals() {
    Goal rate =
        new Goal(name(), Goal.Figure.VALUE, Contestant.DRYDOCK, new Goal.AtLeast(least, unit()));
    return database
        ? List.of(
            rate,
            new Goal(
                name() + ": connections",
                Goal.Figure.CONNECTIONS,
                Contestant.DRYDOCK,
                new Goal.AtMost(MOST_CONNECTIONS, "connections")))
        : List.of(rate);
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    try (HealthStorage storage =
            database
                ? HealthDatabase.start()
                : new HealthFolder(cluster.folder().resolve("store"));
        HealthRun run = HealthRun.start(cluster, who, "n-0", storage)) {
      int batches = events / HealthRun.BATCH;
      send(run, batches / 4); // a process that has just started is slower
      long before = (long) batches / 4 * HealthRun.BATCH + 1;
      run.awaitStored(before);
      long started = System.nanoTime();
      send(run, batches);
      double acknowledged = (System.nanoTime() - started) / 1e9;
      run.awaitStored(before + (long) batches * HealthRun.BATCH);
      double stored = (System.nanoTime() - started) / 1e9;
      run.assertRunning();
      Map<String, Double> details = new TreeMap<>();
      details.put("acknowledgedPerSecond", batches * HealthRun.BATCH / acknowledged);
      storage
          .connections()
          .ifPresent(number -> details.put(Goal.Figure.CONNECTIONS_DETAIL, (double) number));
      return new Trial(who.name(), round, batches * HealthRun.BATCH / stored, run.usage(), details);
    }
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
