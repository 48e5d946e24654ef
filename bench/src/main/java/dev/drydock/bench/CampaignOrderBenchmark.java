package dev.drydock.bench;

import dev.drydock.bench.order.JobMix;
import dev.drydock.bench.order.OrderBenchmark;
import dev.drydock.bench.order.OrderScenario;
import dev.drydock.contracts.v1alpha1.CampaignOrder;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Compares how long nodes are out of service in a campaign that takes them in the order of their
 * names, as with kubectl in a loop, and in a campaign's order {@code soonest}. In virtual time;
 * each round has its own jobs, the same for both.
 */
record CampaignOrderBenchmark(JobMix mix, OrderScenario scenario, double times)
    implements Benchmark {
  @Override
  public String name() {
    return "order-" + mix.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  @Override
  public String title() {
    return "node-minutes out of service, %d nodes, %s job lengths: by name (kubectl) against soonest"
        .formatted(scenario.nodes(), mix.name().toLowerCase(Locale.ROOT).replace('_', '-'));
  }

  @Override
  public String unit() {
    return "node-min";
  }

  /** No real nodes. */
  @Override
  public int nodes() {
    return 0;
  }

  @Override
  public List<Goal> goals() {
    return List.of(Goal.faster(name(), times));
  }

  @Override
  public boolean completesDrains() {
    return false;
  }

  @Override
  public Trial run(BenchCluster cluster, BenchNodes nodes, Contestant who, int round) {
    CampaignOrder order =
        who.name().equals(Contestant.DRYDOCK) ? CampaignOrder.SOONEST : CampaignOrder.NAME;
    OrderBenchmark.Figures figures = OrderBenchmark.measure(scenario, mix, order, round);
    return new Trial(
        who.name(),
        round,
        figures.nodeMinutes(),
        new Trial.Usage(0, 0, 0),
        Map.of("hours", figures.hours()));
  }
}
