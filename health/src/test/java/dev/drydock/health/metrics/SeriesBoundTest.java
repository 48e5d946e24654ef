package dev.drydock.health.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SeriesBoundTest {
  @Test
  void theFirstKeepTheirLabelsAndTheRestShareOne() {
    SeriesBound bound = new SeriesBound(2);

    assertThat(bound.values("a", "1")).containsExactly("a", "1");
    assertThat(bound.values("b", "2")).containsExactly("b", "2");
    assertThat(bound.values("c", "3")).containsExactly("other", "other");
    assertThat(bound.values("a", "1")).containsExactly("a", "1");
  }
}
