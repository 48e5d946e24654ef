package dev.drydock.bench.order;

import dev.drydock.contracts.v1alpha1.CampaignOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** Compares {@code soonest} with the order of names. */
public final class OrderBenchmark {
  private OrderBenchmark() {}

  /**
   * One line of the result: the figures of both orders, summed over all seeds.
   *
   * @param ratios by name to soonest, per seed
   */
  public record Row(
      JobMix mix,
      OrderScenario scenario,
      double nodeHoursByName,
      double nodeHoursSoonest,
      double hoursByName,
      double hoursSoonest,
      List<Double> ratios) {
    /** How many times more node time the order by name costs. */
    public double ratio() {
      return nodeHoursByName / nodeHoursSoonest;
    }

    /** A line for people. */
    public String text() {
      return "%-12s %-12s %d slots  by name %6.0f node-h in %4.0f h  soonest %6.0f node-h in %4.0f h  %.2fx (%.2f to %.2f)"
          .formatted(
              mix,
              scenario.knowledge(),
              scenario.slots(),
              nodeHoursByName / ratios.size(),
              hoursByName / ratios.size(),
              nodeHoursSoonest / ratios.size(),
              hoursSoonest / ratios.size(),
              ratio(),
              ratios.stream().mapToDouble(Double::doubleValue).min().orElse(0),
              ratios.stream().mapToDouble(Double::doubleValue).max().orElse(0));
    }
  }

  /** One run: node-minutes out of service, and the total duration. */
  public record Figures(double nodeMinutes, double hours) {}

  public static Figures measure(
      OrderScenario scenario, JobMix mix, CampaignOrder order, long seed) {
    OrderRun.Outcome outcome = OrderRun.run(scenario, mix, order, seed);
    return new Figures(outcome.out().toMinutes(), outcome.took().toMinutes() / 60.0);
  }

  /** Runs both orders over the same jobs, once for each seed from 1 on. */
  public static Row compare(OrderScenario scenario, JobMix mix, int seeds) {
    double[] sums = new double[4];
    List<Double> ratios = new ArrayList<>();
    LongStream.rangeClosed(1, seeds)
        .forEach(
            seed -> {
              OrderRun.Outcome byName = OrderRun.run(scenario, mix, CampaignOrder.NAME, seed);
              OrderRun.Outcome soonest = OrderRun.run(scenario, mix, CampaignOrder.SOONEST, seed);
              sums[0] += byName.out().toMinutes() / 60.0;
              sums[1] += soonest.out().toMinutes() / 60.0;
              sums[2] += byName.took().toMinutes() / 60.0;
              sums[3] += soonest.took().toMinutes() / 60.0;
              ratios.add((double) byName.out().toMinutes() / soonest.out().toMinutes());
            });
    return new Row(mix, scenario, sums[0], sums[1], sums[2], sums[3], List.copyOf(ratios));
  }
}
