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
  /** After so many drains an operator's processor time for one no longer falls. */
  private static final int UNMEASURED = 6;

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
        new ServerSideBenchmark(
            new DrainScenario(1, full ? 110 : 4), Beside.NOTHING, full ? UNMEASURED : 1),
        new ServerSideBenchmark(
            new DrainScenario(1, full ? 60 : 4), Beside.A_BROKEN_BUDGET, full ? UNMEASURED : 1),
        full ? new MemoryBenchmark(1_000, 5, 20, tick) : new MemoryBenchmark(10, 2, 2, tick),
        full
            ? new OperatorMemoryBenchmark(5_000, 30, Duration.ofSeconds(30))
            : new OperatorMemoryBenchmark(10, 3, second),
        full ? new PodCacheBenchmark(1_000, 30) : new PodCacheBenchmark(10, 3),
        full ? new MaintenancesBenchmark(1_000, 100) : new MaintenancesBenchmark(6, 2),
        lifecycleEmpty(tick),
        lifecycleSlowStop(full ? 30 : 2, stop, tick),
        new LifecycleWaitingBenchmark(full ? 5 : 2, Duration.ofSeconds(full ? 15 : 3), tick),
        new HealthIngestBenchmark(
            full ? 200_000 : 2_000, false, 20_000, "500/s sustained, breaks at 4,200/s"),
        new HealthIngestBenchmark(full ? 100_000 : 2_000, true, 5_000, "3 connections per node"),
        new HealthDelayBenchmark(full ? 2_000 : 100, Duration.ofSeconds(full ? 15 : 1)),
        new HealthCordonBenchmark(full ? 120 : 4, 5, 0.5, "26 ms"),
        new HealthCordonBenchmark(full ? 120 : 4, 5, 0.99, "165 ms"),
        healthBurst(full ? 1_000 : 4),
        healthFlood(full ? 50 : 2, full ? 1_000 : 10),
        new HealthMemoryBenchmark(full ? 1_000_000 : 2_000),
        full
            ? new HealthDrainBenchmark(200, Duration.ofSeconds(2), second)
            : new HealthDrainBenchmark(4, Duration.ofMillis(200), second),
        new MassDrainBenchmark(true, full ? 750 : 4, full ? 15 : 2),
        new MassDrainBenchmark(false, full ? 200 : 4, full ? 15 : 2),
        new CustomDrainBenchmark(full ? 10 : 1, second),
        edgeEmpty(),
        edgeSlowStop(full ? 20 : 2),
        order(JobMix.UNIFORM, nodes, 1),
        order(JobMix.EXPONENTIAL, nodes, 1),
        order(JobMix.HEAVY_TAILED, nodes, 1.5),
        full ? new DriverRolloutBenchmark(1_000, 100) : new DriverRolloutBenchmark(20, 4),
        new ImageStartBenchmark(full ? 20 : 2),
        nodeProgram("driver-agent", full),
        nodeProgram("device-plugin", full),
        nodeProgram("retry-handler", full),
        nodeProgram("metrics-exporter", full),
        new NodeProgramBenchmark(
            NodeProgramBenchmark.Kind.RESTART, "device-plugin", full ? 300 : 10),
        new NodeProgramBenchmark(NodeProgramBenchmark.Kind.FLIP, "device-plugin", full ? 300 : 10));
  }

  private static Benchmark nodeProgram(String name, boolean full) {
    return new NodeProgramBenchmark(NodeProgramBenchmark.Kind.START, name, full ? 5 : 1);
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

  private static Benchmark healthBurst(int nodes) {
    String name = "health-burst";
    return new HealthBurstBenchmark(
        name,
        nodes,
        1,
        "16.3 s, 61-73 nodes/s",
        List.of(
            new Goal(name, Goal.Figure.VALUE, Contestant.FLOOR, new Goal.AtMostTimes(1.25)),
            new Goal(
                name + ": time", Goal.Figure.VALUE, Contestant.DRYDOCK, new Goal.AtMost(4, "s"))));
  }

  private static Benchmark healthFlood(int nodes, int eventsPerNode) {
    String name = "health-flood";
    return new HealthBurstBenchmark(
        name,
        nodes,
        eventsPerNode,
        "5 to 21 of 50 after 25 min",
        List.of(new Goal(name, Goal.Figure.VALUE, Contestant.DRYDOCK, new Goal.AtMost(5, "s"))));
  }

  private static Benchmark edgeEmpty() {
    return new EdgeBenchmark(
        "edge-empty",
        "drain before a reboot of an empty node, from the request file to COMPLETE",
        new DrainScenario(1, 0));
  }

  private static Benchmark edgeSlowStop(int pods) {
    return new EdgeBenchmark(
        "edge-slow-stop",
        "the same with %d pods, 1 s to stop: time above that".formatted(pods),
        new DrainScenario(1, pods).withStopAfter(Duration.ofSeconds(1)));
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
