package dev.drydock.lifecycle.api;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HistoryTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");

  @Test
  void whatIsWrittenIsRead() {
    History history = new History(List.of()).with(entry("a", "ok")).with(entry("b", "\"no\"\n"));

    assertThat(History.read(history.write())).isEqualTo(history);
    assertThat(history.has("uid-b")).isTrue();
    assertThat(history.has("uid-c")).isFalse();
  }

  @Test
  void theOldestAreForgotten() {
    History history = new History(List.of());
    for (int i = 1; i <= 12; i++) {
      history = history.with(entry("e" + i, ""));
    }

    assertThat(history.entries()).hasSize(10);
    assertThat(history.entries().getFirst().event()).isEqualTo("e3");
    assertThat(history.entries().getLast().event()).isEqualTo("e12");
  }

  @Test
  void longMessagesAreCutSoThatTheNodeStaysLight() {
    History history = new History(List.of()).with(entry("a", "x".repeat(10_000)));

    assertThat(history.write()).hasSizeLessThan(600);
    assertThat(History.read(history.write()).entries().getFirst().message()).hasSize(300);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "nonsense", "{}", "[1]", "[{\"event\":\"a\"}]", "[{\"created\":\"today\"}]"})
  void whatCannotBeReadIsBegunAnew(String text) {
    assertThat(History.read(text).has("uid-a")).isFalse();
    assertThat(History.read(History.read(text).with(entry("a", "")).write()).has("uid-a")).isTrue();
  }

  private static History.Entry entry(String name, String message) {
    return new History.Entry(name, "uid-" + name, "drain", "Succeeded", NOON, NOON, message);
  }
}
