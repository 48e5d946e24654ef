package dev.drydock.drain.engine.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodFactsTest {
  @ParameterizedTest
  @CsvSource({
    "2026-01-01T00:00:04Z,false",
    "2026-01-01T00:00:05Z,true",
    "2026-01-01T00:00:06Z,true",
  })
  void aPodOfTheSecondInWhichTheDrainBeganMayBeANewOne(Instant created, boolean expected) {
    PodFacts pod = PodFacts.named("ns", "p", "u").created(created).build();

    assertThat(pod.mayHaveComeAfter(Instant.parse("2026-01-01T00:00:05.7Z"))).isEqualTo(expected);
  }
}
