package dev.drydock.bench.order;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.bench.order.OrderBenchmark.Row;
import dev.drydock.contracts.v1alpha1.CampaignOrder;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OrderBenchmarkTest {
  private static final int SEEDS = 3;

  @ParameterizedTest
  @EnumSource(JobMix.class)
  void jobsTakeAnHourOnAverage(JobMix mix) {
    Random random = new Random(1);
    double sum = 0;
    for (int i = 0; i < 100_000; i++) {
      sum += mix.minutes(random);
    }
    assertThat(sum / 100_000).isBetween(55.0, 65.0);
  }

  @Test
  void theSameSeedGivesTheSameFigures() {
    assertThat(OrderRun.run(small(Knowledge.LIMITS), JobMix.UNIFORM, CampaignOrder.SOONEST, 3))
        .isEqualTo(OrderRun.run(small(Knowledge.LIMITS), JobMix.UNIFORM, CampaignOrder.SOONEST, 3));
  }

  @ParameterizedTest
  @CsvSource({
    "HEAVY_TAILED, HISTORY_ONLY, 1.5",
    "HEAVY_TAILED, SOME_LIMITS, 1.5",
    "UNIFORM, HISTORY_ONLY, 1.2",
    "EXPONENTIAL, SOME_LIMITS, 1.3",
    // nothing is known about these jobs, so it must only not be worse
    "EXPONENTIAL, HISTORY_ONLY, 0.9",
  })
  void soonestTakesNodesOutForAShorterTime(JobMix mix, Knowledge knowledge, double times) {
    Row row = OrderBenchmark.compare(small(knowledge), mix, SEEDS);

    assertThat(row.ratio()).as(row.text()).isGreaterThanOrEqualTo(times);
  }

  private static OrderScenario small(Knowledge knowledge) {
    return new OrderScenario(80, 1, "5%", Duration.ofMinutes(30), knowledge);
  }
}
