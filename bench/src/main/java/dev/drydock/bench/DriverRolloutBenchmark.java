package dev.drydock.bench;

import dev.drydock.bench.rollout.RolloutRun;
import dev.drydock.bench.rollout.RolloutScenario;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How long nodes are out of service in a roll-out of a CXI driver that takes a tenth of them at
 * once, against one node at a time; what the operator writes for it, and what when there is nothing
 * to do. In virtual time.
 *
 * @param oneByOne how many nodes are taken one at a time; their average does not depend on it
 */
record DriverRolloutBenchmark(int fleet, int oneByOne) implements ServingBenchmark {
  /** A node of many may wait a little longer for its turn to be looked at. */
  private static final double TIMES = 1.1;

  private static final double MOST_WRITES = 64;

  @Override
  public String name() {
    return "rollout";
  }

  @Override
  public String title() {
    return "CXI driver roll-out, %,d nodes, 10 %% at once: out of service per node, against one by one"
        .formatted(fleet);
  }

  @Override
  public String unit() {
    return "min";
  }

  /** Simulated ones only. */
  @Override
  public int nodes() {
    return 0;
  }

  @Override
  public List<Goal> goals() {
    return List.of(
        new Goal(name(), Goal.Figure.VALUE, Contestant.ONE_BY_ONE, new Goal.AtMostTimes(TIMES)),
        new Goal(
            name() + ": writes per node",
            Goal.Figure.WRITES,
            Contestant.ONE_BY_ONE,
            new Goal.AtMost(MOST_WRITES, "writes")),
        new Goal(
            name() + ": writes in a minute, idle",
            Goal.Figure.IDLE_WRITES,
            Contestant.ONE_BY_ONE,
            new Goal.AtMost(0, "writes")));
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes nodes, Contestant who, int round) {
    boolean many = who.name().equals(Contestant.DRYDOCK);
    RolloutRun.Figures figures =
        RolloutRun.measure(
            many
                ? new RolloutScenario(fleet, "10%", round)
                : new RolloutScenario(oneByOne, "1", round));
    Map<String, Double> details = new TreeMap<>();
    details.put("nodes", (double) (many ? fleet : oneByOne));
    details.put("hours", figures.hours());
    details.put(Goal.Figure.WRITES_DETAIL, figures.writesPerNode());
    details.put(Goal.Figure.IDLE_DETAIL, figures.idleWrites());
    figures.byKind().forEach((kind, count) -> details.put("writes to " + kind, count));
    return new Trial(
        who.name(), round, figures.minutesPerNode(), new Trial.Usage(0, 0, 0), details);
  }
}
