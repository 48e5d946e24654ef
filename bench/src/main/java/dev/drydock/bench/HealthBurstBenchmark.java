package dev.drydock.bench;

import dev.drydock.contracts.health.HealthEvent;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Many nodes fail at once: from the first fatal event on the socket until all nodes are cordoned.
 * The ideal client cordons the nodes itself, many at once.
 *
 * @param eventsPerNode those of a node one after the other, then those of the next one
 */
record HealthBurstBenchmark(
    String name, int nodes, int eventsPerNode, String anchor, List<Goal> goals)
    implements ServingBenchmark {
  private static final int AT_ONCE = 64;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @Override
  public String title() {
    return "%,d fatal events of %,d nodes at once: until all nodes are cordoned"
        .formatted(nodes * eventsPerNode, nodes);
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    try (HealthFolder folder = new HealthFolder(cluster.folder().resolve("store"));
        HealthRun run = HealthRun.start(cluster, who, targets.spare(), folder);
        CordonWatch watch = new CordonWatch(cluster.client())) {
      int events = nodes * eventsPerNode;
      long started = System.nanoTime();
      run.sendAll(
          Math.ceilDiv(events, HealthRun.BATCH), batch -> batch(run, targets.targets(), batch));
      var cordoned = watch.awaitCordoned(targets.targets(), LIMIT);
      long last = cordoned.values().stream().mapToLong(Long::longValue).max().orElseThrow();
      run.awaitStored(events + 1L);
      double stored = (System.nanoTime() - started) / 1e9;
      run.assertRunning();
      return new Trial(
          who.name(), round, (last - started) / 1e9, run.usage(), Map.of("untilStored", stored));
    } finally {
      targets.restore();
    }
  }

  private List<HealthEvent> batch(HealthRun run, List<String> names, int number) {
    List<HealthEvent> batch = new ArrayList<>();
    int from = number * HealthRun.BATCH;
    int to = Math.min(from + HealthRun.BATCH, nodes * eventsPerNode);
    for (int i = from; i < to; i++) {
      batch.add(run.fatal(names.get(i / eventsPerNode)));
    }
    return batch;
  }

  @Override
  public OptionalDouble floor(BenchCluster cluster, BenchNodes targets) {
    try (CordonWatch watch = new CordonWatch(cluster.client());
        ExecutorService threads = Executors.newFixedThreadPool(AT_ONCE)) {
      var _ = cluster.client().getKubernetesVersion(); // opens the connection
      long started = System.nanoTime();
      List<Future<?>> patches = new ArrayList<>();
      for (String node : targets.targets()) {
        patches.add(
            threads.submit(
                () ->
                    cluster
                        .client()
                        .nodes()
                        .withName(node)
                        .patch(
                            PatchContext.of(PatchType.JSON_MERGE), HealthCordonBenchmark.CORDON)));
      }
      patches.forEach(each -> BenchFailure.get(each, LIMIT, "a node was not cordoned"));
      long last =
          watch.awaitCordoned(targets.targets(), LIMIT).values().stream()
              .mapToLong(Long::longValue)
              .max()
              .orElseThrow();
      return OptionalDouble.of((last - started) / 1e9);
    } finally {
      targets.restore();
    }
  }
}
