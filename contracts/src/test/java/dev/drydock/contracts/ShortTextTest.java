package dev.drydock.contracts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShortTextTest {
  @Test
  void whatFitsStaysAsItIs() {
    assertThat(ShortText.of("12345", 5)).isEqualTo("12345");
  }

  @Test
  void whatIsCutSaysSoAndFits() {
    assertThat(ShortText.of("123456", 5)).isEqualTo("12...");
    assertThat(ShortText.of(ShortText.of("123456", 5), 5)).as("cut again").isEqualTo("12...");
  }

  @Test
  void noCharacterIsCutInTwo() {
    assertThat(ShortText.of("1\uD83D\uDE003456", 5)).isEqualTo("1...");
    assertThat(ShortText.bytes("1\u00e93", 2)).isEqualTo("1");
    assertThat(ShortText.bytes("1\u00e93", 3)).isEqualTo("1\u00e9");
    assertThat(ShortText.bytes("123", 5)).isEqualTo("123");
    assertThat(ShortText.bytes("123", -1)).isEmpty();
  }
}
