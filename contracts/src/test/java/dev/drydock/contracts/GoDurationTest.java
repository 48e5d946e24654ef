package dev.drydock.contracts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
  @ParameterizedTest
  @CsvSource({
    "5h, PT5H",
    "1h30m, PT1H30M",
    "1.5h, PT1H30M",
    "90m, PT1H30M",
    "1h1m1s1ms1us1ns, PT1H1M1.001001001S",
    "0h1s, PT1S",
    "876000h, PT876000H"
  })
  void isReadAsGoReadsIt(String text, Duration expected) {
    assertThat(GoDuration.parse(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "5", "h", "5d", "-5h", "5 h", "1h 30m", "1,5h", "5H", "PT5H"})
  void whatIsNoDurationIsRefusedWithAnExample(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GoDuration.parse(text))
        .withMessageContaining("\"" + text + "\"")
        .withMessageContaining("1h30m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0s", "0h0m", "0.1ns", "876001h", "999999999999h"})
  void nothingAndMoreThanACenturyAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> GoDuration.parse(text))
        .withMessageContaining("more than 0 and at most");
  }

  @ParameterizedTest
  @CsvSource({"0, PT0S", "0s, PT0S", "250µs, PT0.00025S", "1h30m, PT1H30M", "876000h, PT876000H"})
  void maySayThatThereIsNone(String text, Duration expected) {
    assertThat(GoDuration.find(text)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "-1s", "1d", "1h x", "1h30", "876001h", "999999999999h"})
  void findsNothingInOtherTexts(String text) {
    assertThat(GoDuration.find(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "PT5M, 5m0s",
    "PT1M30S, 1m30s",
    "PT1.5S, 1.5s",
    "PT0.3S, 300ms",
    "PT0.0015S, 1.5ms",
    "PT0.000005S, 5us",
    "PT0.000000007S, 7ns",
    "PT1H, 1h0m0s",
    "PT25H0.001S, 25h0m0.001s",
    "PT0S, 0s"
  })
  void isWrittenAsGoWritesIt(Duration time, String text) {
    assertThat(GoDuration.text(time)).isEqualTo(text);
    assertThat(GoDuration.find(text)).contains(time);
  }

  @Test
  void isWrittenForPeople() {
    assertThat(GoDuration.words(Duration.ZERO)).isEqualTo("0s");
    assertThat(GoDuration.words(Duration.ofMillis(90_400))).isEqualTo("1m30s");
    assertThat(GoDuration.words(Duration.ofHours(30))).isEqualTo("30h");
  }
}
