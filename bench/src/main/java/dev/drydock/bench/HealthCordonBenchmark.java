package dev.drydock.bench;

import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * From a fatal health event on the socket to the cordon of its node, one node after the other at a
 * steady rate. The ideal client cordons the nodes itself at the same rate.
 *
 * @param part which percentile
 */
record HealthCordonBenchmark(int nodes, int perSecond, double part, String anchor)
    implements ServingBenchmark {
  private static final double MOST_TIMES = 1.5;
  private static final Duration LIMIT = Duration.ofMinutes(1);

  static final String CORDON = "{\"spec\":{\"unschedulable\":true}}";

  @Override
  public String name() {
    return "health-cordon-p" + Math.round(part * 100);
  }

  @Override
  public String title() {
    return "health events of %d nodes at %d/s: from sent to cordoned, percentile %d"
        .formatted(nodes, perSecond, Math.round(part * 100));
  }

  @Override
  public String unit() {
    return "ms";
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(name(), Goal.Figure.VALUE, Contestant.FLOOR, new Goal.AtMostTimes(MOST_TIMES)));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    try (HealthFolder folder = new HealthFolder(cluster.folder().resolve("store"));
        HealthRun run = HealthRun.start(cluster, who, targets.spare(), folder)) {
      warmUp(cluster, targets, node -> run.send(List.of(run.fatal(node))));
      List<Double> delays = measure(cluster, targets, node -> run.send(List.of(run.fatal(node))));
      run.assertRunning();
      return new Trial(
          who.name(),
          round,
          Statistics.percentile(delays, part),
          run.usage(),
          Map.of("median", Statistics.median(delays), "most", Statistics.percentile(delays, 1)));
    } finally {
      targets.restore();
    }
  }

  @Override
  public OptionalDouble floor(BenchCluster cluster, BenchNodes targets) {
    try {
      Consumer<String> cordon =
          node -> {
            var _ =
                cluster
                    .client()
                    .nodes()
                    .withName(node)
                    .patch(PatchContext.of(PatchType.JSON_MERGE), CORDON);
          };
      warmUp(cluster, targets, cordon);
      return OptionalDouble.of(Statistics.percentile(measure(cluster, targets, cordon), part));
    } finally {
      targets.restore();
    }
  }

  /** The first quarter of the nodes, at once. */
  private void warmUp(BenchCluster cluster, BenchNodes targets, Consumer<String> send) {
    try (CordonWatch watch = new CordonWatch(cluster.client())) {
      List<String> first = targets.first(Math.max(1, nodes / 4));
      first.forEach(send);
      var _ = watch.awaitCordoned(first, LIMIT);
    }
  }

  /** In milliseconds. */
  private List<Double> measure(BenchCluster cluster, BenchNodes targets, Consumer<String> send) {
    List<String> names = targets.targets().subList(Math.max(1, nodes / 4), nodes);
    Map<String, Long> sent = new HashMap<>();
    List<Future<?>> calls = new ArrayList<>();
    try (CordonWatch watch = new CordonWatch(cluster.client());
        ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (String name : names) {
        cluster.pods().pause(Duration.ofSeconds(1).dividedBy(perSecond));
        sent.put(name, System.nanoTime());
        calls.add(callers.submit(() -> send.accept(name)));
      }
      calls.forEach(call -> BenchFailure.get(call, LIMIT, "an event was not taken"));
      Map<String, Long> cordoned = watch.awaitCordoned(names, LIMIT);
      return names.stream()
          .map(name -> (cordoned.getOrDefault(name, 0L) - sent.getOrDefault(name, 0L)) / 1e6)
          .toList();
    }
  }
}
