package dev.drydock.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void medianIsTheMiddleOfTheSortedValues() {
    assertThat(Statistics.median(List.of(3.0, 1.0, 2.0))).isEqualTo(2.0);
    assertThat(Statistics.median(List.of(4.0, 1.0, 2.0, 3.0))).isEqualTo(2.5);
  }

  @Test
  void percentileIsTheSmallestValueThatCoversThatPart() {
    List<Double> hundred = IntStream.rangeClosed(1, 100).mapToObj(i -> (double) i).toList();

    assertThat(Statistics.percentile(hundred, 0.99)).isEqualTo(99.0);
    assertThat(Statistics.percentile(hundred, 1)).isEqualTo(100.0);
    assertThat(Statistics.percentile(hundred, 0)).isEqualTo(1.0);
    assertThat(Statistics.percentile(List.of(5.0), 0.99)).isEqualTo(5.0);
  }

  @Test
  void spreadIsRelativeToTheMedian() {
    assertThat(Statistics.spread(List.of(9.0, 10.0, 12.0))).isEqualTo(0.3);
  }

  @Test
  void noValuesHaveNoStatistics() {
    assertThatIllegalArgumentException().isThrownBy(() -> Statistics.median(List.of()));
  }
}
