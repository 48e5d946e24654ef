package dev.drydock.lifecycle.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TransitionHistoryTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void whatIsWrittenIsRead() {
    TransitionHistory history =
        new TransitionHistory(List.of()).with(entry("a", "ok")).with(entry("b", "\"no\"\n"));

    assertThat(TransitionHistory.read(history.write())).isEqualTo(history);
    assertThat(history.has("uid-b")).isTrue();
    assertThat(history.has("uid-c")).isFalse();
  }

  @Test
  void theOldestAreForgotten() {
    TransitionHistory history = new TransitionHistory(List.of());
    for (int i = 1; i <= 12; i++) {
      history = history.with(entry("e" + i, ""));
    }

    assertThat(history.entries()).hasSize(10);
    assertThat(history.entries().getFirst().event()).isEqualTo("e3");
    assertThat(history.entries().getLast().event()).isEqualTo("e12");
  }

  @Test
  void longMessagesAreCutSoThatTheNodeStaysLight() {
    TransitionHistory history =
        new TransitionHistory(List.of()).with(entry("a", "x".repeat(10_000)));

    assertThat(history.write()).hasSizeLessThan(600);
    assertThat(TransitionHistory.read(history.write()).entries().getFirst().message()).hasSize(300);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "nonsense", "{}", "[1]", "[{\"event\":\"a\"}]", "[{\"created\":\"today\"}]"})
  void whatCannotBeReadIsBegunAnew(String text) {
    assertThat(TransitionHistory.read(text).has("uid-a")).isFalse();
    assertThat(
            TransitionHistory.read(TransitionHistory.read(text).with(entry("a", "")).write())
                .has("uid-a"))
        .isTrue();
  }

  private static TransitionHistory.Entry entry(String name, String message) {
    return new TransitionHistory.Entry(
        name, "uid-" + name, "drain", "Succeeded", NOON, NOON, message);
  }
}
