package dev.drydock.bench;

import dev.drydock.contracts.Condition;
import dev.drydock.contracts.CrdCatalog;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import dev.drydock.contracts.nvsentinel.DrainRequestStatus;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Time from a DrainRequest's creation until it says that the drain is complete. The operator runs
 * already and has drained the same node several times, as the ideal client has. Either against the
 * ideal client; or beside the drain of another node, whose pods have a budget that nobody can
 * count, against the same without that.
 *
 * @param unmeasured how often either drains the node before it is measured: most of the first
 *     drains of a JVM are interpreted and compiled, which is not what an operator does that runs
 */
record ServerSideBenchmark(DrainScenario scenario, Beside beside, int unmeasured)
    implements ServingBenchmark {
  private static final double MOST_TIMES = 1.25;
  private static final double MOST_TIMES_BESIDE = 1.1;
  private static final int BROKEN_PODS = 3;
  private static final Duration LIMIT = Duration.ofMinutes(5);

  /** Until the server has refused an eviction because of the broken budget. */
  private static final Duration REFUSED = Duration.ofSeconds(8);

  /** What else the operator drains. */
  enum Beside {
    NOTHING,
    A_BROKEN_BUDGET
  }

  /** The time of the first drain after the operator's start, on a JVM that compiled nothing yet. */
  private static final String FIRST_DETAIL = "first";

  /** The operator's processor time in the measured drain, in seconds. */
  private static final String PROCESSOR_DETAIL = "processor";

  /** Time for other writes after the operator's start and its first requests. */
  private static final Duration SETTLED = Duration.ofSeconds(2);

  @Override
  public String name() {
    return beside == Beside.NOTHING ? "server-side" : "broken-budget";
  }

  @Override
  public String title() {
    String title =
        "DrainRequest, %d pods that stop at once: from created to complete"
            .formatted(scenario.podsPerNode());
    return beside == Beside.NOTHING ? title : title + ", beside a broken budget";
  }

  @Override
  public int nodes() {
    return scenario.nodes() + (beside == Beside.NOTHING ? 0 : 1);
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        beside == Beside.NOTHING
            ? new Goal(
                name(), Goal.Figure.VALUE, Contestant.FLOOR, new Goal.AtMostTimes(MOST_TIMES))
            : new Goal(
                name(),
                Goal.Figure.VALUE,
                Contestant.UNHINDERED,
                new Goal.AtMostTimes(MOST_TIMES_BESIDE)));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes nodes, Contestant who, int round) {
    BenchDefinitions.apply(cluster.client(), CrdCatalog.KINDS);
    BenchWorkload workload = scenario.workloads(nodes).getFirst();
    boolean hindered = beside != Beside.NOTHING && !who.name().equals(Contestant.UNHINDERED);
    String other = nodes.targets().getLast();
    BenchWorkload.deploy(cluster, List.of(workload));
    List<String> operator = who.peer().operator(cluster.namespace());
    try (PeerRun run = cluster.start(cluster.user(who), List.of(operator))) {
      Served first = serve(cluster, "first", workload.nodes().getFirst());
      BenchWorkload.deploy(cluster, List.of(workload));
      for (int drain = 2; drain <= unmeasured; drain++) {
        var _ = serve(cluster, "unmeasured-" + drain, workload.nodes().getFirst());
        BenchWorkload.deploy(cluster, List.of(workload));
      }
      cluster.pods().pause(SETTLED);
      if (hindered) {
        deployBroken(cluster, other);
        var _ = cluster.all(DrainRequest.class).resource(request("stuck", other)).create();
        cluster.pods().pause(REFUSED);
      }
      double before = run.processorSeconds();
      Served served = serve(cluster, "bench", workload.nodes().getFirst());
      double processor = run.processorSeconds() - before;
      long empty = cluster.pods().awaitEmpty(workload.nodes(), Duration.ofSeconds(10));
      run.assertRunning();
      return new Trial(
          who.name(),
          round,
          served.secondsUntil(served.completed()) - scenario.stopSeconds(),
          new Trial.Usage(0, 0, run.peakKib() / 1024.0),
          Map.of(
              "untilEmpty",
              served.secondsUntil(empty),
              FIRST_DETAIL,
              first.secondsUntil(first.completed()) - scenario.stopSeconds(),
              PROCESSOR_DETAIL,
              processor));
    } finally {
      cluster.deleteAll(DrainRequest.class);
      BenchWorkload.clear(cluster);
      nodes.restore();
    }
  }

  /** The pods' owner has no scale, so the budget's numbers are never computed. */
  private static void deployBroken(BenchCluster cluster, String node) {
    BenchWorkload broken =
        new BenchWorkload("broken", List.of(node), BROKEN_PODS, BenchWorkload.Traits.PLAIN);
    BenchWorkload.add(cluster, broken);
    BenchWorkload.createBudget(
        cluster, "broken", BenchWorkload.maxUnavailable(1), Map.of("app", "broken"));
    cluster.pods().awaitQuiet();
  }

  @Override
  public OptionalDouble floor(BenchCluster cluster, BenchNodes nodes) {
    if (beside != Beside.NOTHING) {
      return OptionalDouble.empty();
    }
    DrainBenchmark ideal = new DrainBenchmark(name(), title(), scenario, List.of());
    for (int drain = 0; drain < unmeasured; drain++) {
      var _ = ideal.floor(cluster, nodes);
    }
    return ideal.floor(cluster, nodes);
  }

  /** When a request was created and when it was complete, on {@link System#nanoTime}. */
  private record Served(long created, long completed) {
    double secondsUntil(long time) {
      return (time - created) / 1e9;
    }
  }

  /** Returns when the request is complete and, after its deletion, gone. */
  private static Served serve(BenchCluster cluster, String name, String node) {
    DrainRequest request = request(name, node);
    CompletableFuture<Long> completed =
        cluster
            .all(DrainRequest.class)
            .informOnCondition(seen -> seen.stream().anyMatch(ServerSideBenchmark::isComplete))
            .thenApply(_ -> System.nanoTime());
    try {
      long created = System.nanoTime();
      var _ = cluster.all(DrainRequest.class).resource(request).create();
      Served served =
          new Served(
              created,
              BenchFailure.get(
                  completed, LIMIT, "DrainRequest %s was not completed".formatted(name)));
      var _ = cluster.all(DrainRequest.class).withName(name).delete();
      var _ =
          cluster
              .all(DrainRequest.class)
              .withName(name)
              .waitUntilCondition(Objects::isNull, LIMIT.toSeconds(), TimeUnit.SECONDS);
      return served;
    } finally {
      var _ = completed.cancel(true);
    }
  }

  private static DrainRequest request(String name, String node) {
    DrainRequest request = new DrainRequest();
    request.setMetadata(new ObjectMetaBuilder().withName(name).build());
    request.setSpec(spec(node));
    return request;
  }

  private static DrainRequestSpec spec(String node) {
    return DrainRequestSpec.of(
        node, null, DrainRequest.BUILTIN_DRAINER, DrainRequestSpec.Policy.DEFAULT);
  }

  private static boolean isComplete(DrainRequest request) {
    DrainRequestStatus status = request.getStatus();
    List<Condition> conditions = status == null ? null : status.conditions();
    return conditions != null
        && conditions.stream()
            .anyMatch(
                condition ->
                    condition.type().equals(DrainRequest.COMPLETE_CONDITION)
                        && condition.status().equals("True"));
  }
}
