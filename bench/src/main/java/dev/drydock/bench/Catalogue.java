package dev.drydock.bench;

import static dev.drydock.bench.Goal.faster;

import dev.drydock.bench.ServerSideBenchmark.Beside;
import dev.drydock.bench.order.JobMix;
import dev.drydock.bench.order.Knowledge;
import dev.drydock.bench.order.OrderScenario;
import java.time.Duration;
import java.util.List;

/** All benchmarks: in full size, which counts, or small, to check that they run. */
final class Catalogue {
  private Catalogue() {}

  static List<Benchmark> full() {
    return all(true);
  }

  static List<Benchmark> quick() {
    return all(false);
  }

  private static List<Benchmark> all(boolean full) {
    Duration second = Duration.ofSeconds(1);
    Duration tick = full ? Duration.ofSeconds(10) : second;
    Duration stop = full ? Duration.ofSeconds(5) : second;
    int nodes = full ? 200 : 40;
    return List.of(
        oneNode(full ? 110 : 4),
        slowStop(full ? 30 : 2, stop),
        oneBudget(full ? 20 : 2),
        full
            ? new ReactionBenchmark(5, 20, Duration.ofSeconds(8), Duration.ofSeconds(25))
            : new ReactionBenchmark(1, 3, second, second),
        full ? manyNodes(50, 15) : manyNodes(3, 2),
        full ? blockedNodes(100, 5, 20) : blockedNodes(3, 2, 1),
        new ServerSideBenchmark(new DrainScenario(1, full ? 110 : 4), Beside.NOTHING),
        new ServerSideBenchmark(new DrainScenario(1, full ? 60 : 4), Beside.A_BROKEN_BUDGET),
        full ? new MemoryBenchmark(1_000, 5, 20, tick) : new MemoryBenchmark(10, 2, 2, tick),
        full
            ? new OperatorMemoryBenchmark(5_000, 30, Duration.ofSeconds(30))
            : new OperatorMemoryBenchmark(10, 3, second),
        full ? new PodCacheBenchmark(1_000, 30) : new PodCacheBenchmark(10, 3),
        full ? new MaintenancesBenchmark(1_000, 100) : new MaintenancesBenchmark(6, 2),
        lifecycleEmpty(tick),
        lifecycleSlowStop(full ? 30 : 2, stop, tick),
        new LifecycleWaitingBenchmark(full ? 5 : 2, Duration.ofSeconds(full ? 15 : 3), tick),
        order(JobMix.UNIFORM, nodes, 1),
        order(JobMix.EXPONENTIAL, nodes, 1),
        order(JobMix.HEAVY_TAILED, nodes, 1.5),
        new ImageStartBenchmark(full ? 20 : 2));
  }

  private static Benchmark oneNode(int pods) {
    return new DrainBenchmark(
        "one-node",
        "one node, %d pods that stop at once".formatted(pods),
        new DrainScenario(1, pods),
        List.of(faster("one-node", 25)));
  }

  private static Benchmark slowStop(int pods, Duration stop) {
    return new DrainBenchmark(
        "slow-stop",
        "one node, %d pods, %d s to stop: time above that".formatted(pods, stop.toSeconds()),
        new DrainScenario(1, pods).withStopAfter(stop),
        List.of(faster("slow-stop", 20)));
  }

  private static Benchmark oneBudget(int pods) {
    return new DrainBenchmark(
        "one-budget",
        "one node, %d pods, one budget maxUnavailable 1".formatted(pods),
        new DrainScenario(1, pods).withMaxUnavailable(1),
        List.of(faster("one-budget", 3)));
  }

  private static Benchmark manyNodes(int nodes, int pods) {
    String each = Contestant.KUBECTL_PER_NODE;
    return new DrainBenchmark(
        "many-nodes",
        "%d nodes x %d pods: one command; against one kubectl, and one for each node at once"
            .formatted(nodes, pods),
        new DrainScenario(nodes, pods),
        List.of(
            faster("many-nodes", 10),
            new Goal("many-nodes, each", Goal.Figure.VALUE, each, new Goal.TimesBetter(1)),
            new Goal(
                "many-nodes, each: memory", Goal.Figure.MEMORY, each, new Goal.TimesBetter(5))));
  }

  private static Benchmark lifecycleEmpty(Duration tick) {
    return new LifecycleBenchmark(
        "lifecycle-empty",
        "LifecycleEvent on an empty node, from created to deleted",
        new DrainScenario(1, 0),
        tick,
        20);
  }

  private static Benchmark lifecycleSlowStop(int pods, Duration stop, Duration tick) {
    return new LifecycleBenchmark(
        "lifecycle-slow-stop",
        "LifecycleEvent, %d pods, %d s to stop: time above that".formatted(pods, stop.toSeconds()),
        new DrainScenario(1, pods).withStopAfter(stop),
        tick,
        1);
  }

  private static Benchmark order(JobMix mix, int nodes, double times) {
    return new CampaignOrderBenchmark(
        mix,
        new OrderScenario(nodes, 1, "5%", Duration.ofMinutes(30), Knowledge.SOME_LIMITS),
        times);
  }

  /**
   * The blocked nodes are named last: otherwise kubectl would wait at the first of them until its
   * timeout.
   */
  private static Benchmark blockedNodes(int nodes, int pods, int blocked) {
    return new DrainBenchmark(
        "blocked-nodes",
        "%d nodes, %d blocked by budgets: until the other %d are empty"
            .formatted(nodes, blocked, nodes - blocked),
        new DrainScenario(nodes, pods).withBlocked(blocked),
        List.of(faster("blocked-nodes", 10)));
  }
}
