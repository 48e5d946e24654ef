package dev.drydock.bench.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RolloutScenarioTest {
  private static double averageMinutes(int nodes, long seed) {
    RolloutScenario scenario = new RolloutScenario(nodes, "1", seed);
    return IntStream.rangeClosed(1, nodes)
            .mapToObj(number -> scenario.install("node-" + number))
            .mapToLong(Duration::toSeconds)
            .average()
            .orElseThrow()
        / 60;
  }

  /** A benchmark compares a large fleet with a small one. */
  @ParameterizedTest
  @CsvSource({"100, 1", "1000, 1", "100, 2", "1000, 2", "100, 3", "1000, 3"})
  void installsTakeTheSameOnAverageInFleetsOfAnySize(int nodes, long seed) {
    assertThat(averageMinutes(nodes, seed)).isCloseTo(4, within(0.04));
  }
}
