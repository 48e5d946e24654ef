package dev.drydock.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class DurationConverterTest {
  @ParameterizedTest
  @CsvSource({
    "0,PT0S",
    "0s,PT0S",
    "500ms,PT0.5S",
    "90s,PT1M30S",
    "1h30m,PT1H30M",
    "2m5s,PT2M5S",
    "1.5h,PT1H30M",
    "0.25s,PT0.25S",
    "250us,PT0.00025S"
  })
  void readsTimesAsKubectlDoes(String text, Duration expected) {
    assertThat(new DurationConverter().convert(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "-1s", "1d", "1h x", "s", "1h30", "999999999h"})
  void saysHowToWriteWhatItCannotRead(String text) {
    assertThatThrownBy(() -> new DurationConverter().convert(text))
        .isInstanceOf(TypeConversionException.class)
        .hasMessage("\"" + text + "\" is not a time; write it like 90s or 1h30m");
  }
}
