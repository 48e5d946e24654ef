package dev.drydock.bench;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.drydock.bench.BenchWorkload.Traits;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetSpecBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The time from the opening of a budget to the eviction that it allows, as the 99th percentile.
 * Every pod has its own budget, which allows nothing until a second pod becomes ready on another
 * node at a random time, the same for all contestants. Each node is drained by its own process and
 * has few pods, so that kubectl, which retries each pod every 5 s, stays below its limit of 5
 * requests per second. No budget opens before every process has had {@code settle} to reach the
 * point where it only waits for budgets.
 */
record ReactionBenchmark(int nodes, int podsPerNode, Duration settle, Duration openings)
    implements Benchmark {
  private static final long SEED = 20_260_101;
  private static final double PERCENTILE = 0.99;

  @Override
  public String name() {
    return "reaction";
  }

  @Override
  public String title() {
    return "budget opens at a random moment: reaction to next eviction, P99 of %d"
        .formatted(nodes * podsPerNode);
  }

  @Override
  public List<Goal> goals() {
    return List.of(Goal.faster(name(), 20));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes targets, Contestant who, int round) {
    BenchWorkload workload =
        new BenchWorkload("shut", targets.first(nodes), podsPerNode, Traits.PLAIN);
    BenchWorkload.deploy(cluster, List.of(workload));
    shutAll(cluster, workload);
    Contestant perNode = new Contestant(who.name(), who.peer(), true);
    try (BudgetWatch budgets = new BudgetWatch(cluster.client(), cluster.namespace());
        PeerRun run = cluster.start(perNode, workload.nodes())) {
      targets.awaitCordoned(workload.nodes());
      openAtRandom(cluster, targets.spare(), round);
      double exit = run.awaitExit(DrainBenchmark.LIMIT);
      cluster.pods().awaitQuiet();
      List<Double> reactions = reactions(workload, budgets.openedFirst(), run.requests());
      return new Trial(
          who.name(),
          round,
          Statistics.percentile(reactions, PERCENTILE),
          Trial.Usage.of(run, workload.size()),
          Map.of(
              "untilExit", exit,
              "median", Statistics.median(reactions),
              "least", Statistics.percentile(reactions, 0),
              "most", Statistics.percentile(reactions, 1)));
    } finally {
      BenchWorkload.clear(cluster);
      targets.restore();
    }
  }

  /**
   * While pods wait for their budgets kubectl retries; these requests are not typical of its
   * drains.
   */
  @Override
  public boolean completesDrains() {
    return false;
  }

  private static void shutAll(BenchCluster cluster, BenchWorkload workload) {
    for (int ordinal = 0; ordinal < workload.size(); ordinal++) {
      BenchWorkload.createBudget(
          cluster,
          workload.podName(ordinal),
          new PodDisruptionBudgetSpecBuilder().withMinAvailable(new IntOrString(1)),
          Map.of(BenchWorkload.ORDINAL, Integer.toString(ordinal)));
    }
    for (int ordinal = 0; ordinal < workload.size(); ordinal++) {
      BenchWorkload.awaitBudget(cluster, workload.podName(ordinal), 1, 0);
    }
  }

  private void openAtRandom(BenchCluster cluster, String spare, int round) {
    int count = nodes * podsPerNode;
    BenchWorkload seconds = new BenchWorkload("second", List.of(spare), count, Traits.PLAIN);
    Random random = new Random(SEED + round);
    try (ScheduledExecutorService timer =
        Executors.newScheduledThreadPool(2, Thread.ofPlatform().daemon().factory())) {
      List<Future<?>> all = new ArrayList<>();
      for (int ordinal = 0; ordinal < count; ordinal++) {
        Pod second = seconds.pod(ordinal);
        long delay = settle.toNanos() + random.nextLong(openings.toNanos());
        all.add(
            timer.schedule(
                () -> cluster.client().resource(second).inNamespace(cluster.namespace()).create(),
                delay,
                NANOSECONDS));
      }
      all.forEach(
          each -> BenchFailure.get(each, DrainBenchmark.LIMIT, "a budget could not be opened"));
    }
  }

  /**
   * From when the harness sees the budget open to when the API server receives the eviction. If a
   * peer sees it first, the time counts as zero.
   */
  private static List<Double> reactions(
      BenchWorkload workload, Map<String, Instant> opened, List<AuditLog.Request> requests) {
    Map<String, AuditLog.Request> evictions =
        requests.stream()
            .filter(AuditLog.Request::grantedEviction)
            .collect(Collectors.toMap(AuditLog.Request::object, Function.identity(), (a, b) -> a));
    List<Double> reactions = new ArrayList<>();
    for (int ordinal = 0; ordinal < workload.size(); ordinal++) {
      String pod = workload.podName(ordinal);
      AuditLog.Request eviction = evictions.get(pod);
      Instant since = opened.get(pod);
      if (eviction == null || since == null) {
        throw new BenchFailure("pod " + pod + " left without an eviction of its own");
      }
      reactions.add(Math.max(0, Duration.between(since, eviction.arrived()).toNanos() / 1e9));
    }
    return reactions;
  }
}
