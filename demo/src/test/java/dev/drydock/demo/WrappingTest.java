package dev.drydock.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WrappingTest {
  @Test
  void linesAreBrokenBetweenWords() {
    assertThat(Wrapping.of("twenty columns are enough for all of this", 20, "  "))
        .containsExactly("twenty columns are", "  enough for all of", "  this");
  }

  @Test
  void aWordThatIsTooLongStaysWhole() {
    assertThat(Wrapping.of("a /path/that/is/longer/than/a/line and more", 20, ""))
        .containsExactly("a", "/path/that/is/longer/than/a/line", "and more");
    assertThat(Wrapping.of("  /path/that/is/longer/than/a/line", 20, "    "))
        .containsExactly("  /path/that/is/longer/than/a/line");
  }

  @Test
  void columnsOfATableStayApart() {
    assertThat(Wrapping.of("NODE   HELD BY   SINCE", 22, ""))
        .containsExactly("NODE   HELD BY   SINCE");
  }
}
