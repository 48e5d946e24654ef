package dev.drydock.bench;

import dev.drydock.bench.BenchWorkload.Traits;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts API writes of driver and claimer together while a budget blocks the drain of a
 * LifecycleEvent and nothing changes, from when the event's message names the blocker. Refused
 * evictions write nothing, so they have their own row. Lease renewals are independent of the wait
 * and reported separately.
 */
record LifecycleWaitingBenchmark(int pods, Duration time, Duration tick)
    implements ServingBenchmark {
  /** How often a drain retries a budget that allows no disruption, the same as kubectl. */
  private static final Duration BETWEEN_EVICTIONS = Duration.ofSeconds(5);

  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Time for writes that accompany the message, and until requests are in the audit log. */
  private static final Duration SETTLED = Duration.ofSeconds(2);

  @Override
  public String name() {
    return "lifecycle-waiting";
  }

  @Override
  public String title() {
    return "LifecycleEvent, a budget blocks its drain: API writes in %d s of waiting"
        .formatted(time.toSeconds());
  }

  @Override
  public String unit() {
    return "writes";
  }

  @Override
  public int nodes() {
    return 1;
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(name(), Goal.Figure.VALUE, Contestant.TICKS, new Goal.AtMost(0, unit())),
        new Goal(
            name() + ": refused evictions",
            Goal.Figure.REFUSED,
            Contestant.TICKS,
            new Goal.AtMost(
                Math.ceilDiv(time.toMillis(), BETWEEN_EVICTIONS.toMillis()), "requests")));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes nodes, Contestant who, int round) {
    List<String> node = nodes.first(1);
    BenchWorkload.deploy(
        cluster, List.of(new BenchWorkload("held", node, pods, new Traits(Map.of(), 0, true))));
    try (LifecycleRun run = LifecycleRun.start(cluster, node.getFirst(), who, tick)) {
      var _ = run.create(round);
      run.watch().awaitWords(LIMIT);
      cluster.pods().pause(SETTLED);
      Instant begin = Clock.systemUTC().instant();
      cluster.pods().pause(time);
      Instant end = begin.plus(time);
      cluster.pods().pause(SETTLED);
      run.agent().assertRunning();
      List<AuditLog.Request> writes =
          run.agent().requests().stream()
              .filter(AuditLog.Request::isWrite)
              .filter(request -> isIn(request.arrived(), begin, end))
              .toList();
      return trial(who, round, writes, run.agent().peakKib() / 1024.0);
    } finally {
      BenchWorkload.clear(cluster);
      nodes.restore();
    }
  }

  private static Trial trial(
      Contestant who, int round, List<AuditLog.Request> writes, double memoryMib) {
    Map<String, Double> details = new HashMap<>(Map.of(Goal.Figure.REFUSED_DETAIL, 0.0));
    long done = 0;
    for (AuditLog.Request write : writes) {
      if (!write.isGranted()) {
        details.merge(Goal.Figure.REFUSED_DETAIL, 1.0, Double::sum);
      } else {
        details.merge("writes of " + write.resource(), 1.0, Double::sum);
        done += write.resource().equals("leases") ? 0 : 1;
      }
    }
    return new Trial(
        who.name(), round, done, new Trial.Usage(0, 0, memoryMib), Map.copyOf(details));
  }

  private static boolean isIn(Instant time, Instant begin, Instant end) {
    return !time.isBefore(begin) && time.isBefore(end);
  }
}
