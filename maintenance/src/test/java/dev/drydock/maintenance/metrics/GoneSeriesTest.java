package dev.drydock.maintenance.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.Test;

class GoneSeriesTest {
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final GoneSeries<String> gone = new GoneSeries<>(Duration.ofHours(24), 2);

  @Test
  void whatIsGoneIsKeptForAWhile() {
    gone.used("a", NOW);

    assertThat(gone.expired(Set.of(), NOW.plus(Duration.ofHours(24)))).isEmpty();
    assertThat(gone.expired(Set.of(), NOW.plus(Duration.ofHours(25)))).containsExactly("a");
    assertThat(gone.expired(Set.of(), NOW.plus(Duration.ofHours(26)))).isEmpty();
  }

  @Test
  void whatIsThereIsKeptAndTheTimeCountsFromItsEnd() {
    gone.used("a", NOW);

    assertThat(gone.expired(Set.of("a"), NOW.plus(Duration.ofHours(100)))).isEmpty();
    assertThat(gone.expired(Set.of(), NOW.plus(Duration.ofHours(123)))).isEmpty();
    assertThat(gone.expired(Set.of(), NOW.plus(Duration.ofHours(125)))).containsExactly("a");
  }

  @Test
  void onlyTheNewestAreKept() {
    gone.used("a", NOW);
    gone.used("b", NOW.plusSeconds(1));
    gone.used("c", NOW.plusSeconds(2));
    gone.used("there", NOW.minusSeconds(1));

    assertThat(gone.expired(Set.of("there"), NOW.plusSeconds(3))).containsExactly("a");
  }
}
