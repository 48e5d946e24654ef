package dev.drydock.maintenance.notify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.maintenance.notify.Channel.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiverAnswersTest {
  private static final Instant NOW = Instant.parse("2026-01-02T10:00:00Z");

  private static Outcome outcome(int code) {
    return ReceiverAnswers.outcome(code, "host", Optional.empty());
  }

  @ParameterizedTest
  @ValueSource(ints = {200, 201, 202, 204})
  void isTaken(int code) {
    assertThat(outcome(code)).isEqualTo(new Outcome.Delivered());
  }

  @ParameterizedTest
  @ValueSource(ints = {408, 409, 425, 429, 500, 502, 503, 504})
  void mayBeTakenLater(int code) {
    assertThat(outcome(code)).isEqualTo(Outcome.Later.because("host answers HTTP " + code));
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 307, 400, 401, 403, 404, 410, 413, 422})
  void isNeverTaken(int code) {
    assertThat(outcome(code)).isEqualTo(new Outcome.Refused("host answers HTTP " + code));
  }

  @ParameterizedTest
  @CsvSource({
    "7, 7",
    "999999999, 3600",
    "'Fri, 02 Jan 2026 10:00:30 GMT', 30",
    "'Fri, 02 Jan 2026 09:00:00 GMT', ",
    "0, ",
    "soon, ",
    "-5, "
  })
  void waitsAsLongAsTheReceiverSays(String header, Integer seconds) {
    assertThat(ReceiverAnswers.retryAfter(Optional.of(header), NOW))
        .isEqualTo(Optional.ofNullable(seconds).map(Duration::ofSeconds));
  }
}
