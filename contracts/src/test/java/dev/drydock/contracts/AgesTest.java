package dev.drydock.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AgesTest {
  @ParameterizedTest
  @CsvSource({
    "0, 0s",
    "-5, 0s",
    "119, 119s",
    "120, 2m",
    "330, 5m30s",
    "2700, 45m",
    "11100, 3h5m",
    "36000, 10h",
    "266400, 3d2h",
    "2592000, 30d"
  })
  void agesAreAsCoarseAsKubectlShowsThem(long seconds, String age) {
    Instant start = Instant.parse("2026-01-01T00:00:00Z");

    assertThat(Ages.between(start, start.plusSeconds(seconds))).isEqualTo(age);
  }
}
