package dev.drydock.slingshot.retry.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerHistoryTest {
  private static final Duration NOW = Duration.ofSeconds(1000);
  private static final Duration SHORT = Duration.ofSeconds(3);

  @Test
  void delaysDoubleUpToAMinute() {
    List<Long> delays = new ArrayList<>();
    HandlerHistory history = HandlerHistory.NONE;
    for (int i = 0; i < 9; i++) {
      history = history.ended(1, SHORT, NOW);
      delays.add(history.left(NOW).orElseThrow().toSeconds());
    }

    assertThat(delays).containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 60L, 60L, 60L);
    assertThat(history.restarts()).isEqualTo(9);
  }

  @Test
  void aLongRunResetsTheDelayAndNotTheCount() {
    HandlerHistory history = HandlerHistory.NONE;
    for (int i = 0; i < 9; i++) {
      history = history.ended(1, SHORT, NOW);
    }

    HandlerHistory next = history.ended(1, HandlerHistory.GOOD_RUN, NOW);

    assertThat(next.left(NOW)).contains(Duration.ofSeconds(1));
    assertThat(next.restarts()).isEqualTo(10);
    assertThat(history.ended(1, HandlerHistory.GOOD_RUN.minusNanos(1), NOW).left(NOW))
        .contains(Duration.ofSeconds(60));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 125, 128, 129, 199, 255})
  void whoeverEndsUnaskedHasCrashed(int code) {
    HandlerHistory history = HandlerHistory.NONE.ended(code, SHORT, NOW);

    assertThat(history.crashed()).isTrue();
    assertThat(history.reason()).isEqualTo(HandlerReason.Crashed);
    assertThat(history.restarts()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource({
    "0, cxi_rh ended with exit code 0 after 3 s",
    "1, cxi_rh ended with exit code 1 after 3 s",
    "139, cxi_rh was killed by signal 11 after 3 s",
  })
  void itsEndIsExplained(int code, String text) {
    assertThat(HandlerHistory.NONE.ended(code, SHORT, NOW).last()).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "200, Locked, 10",
    "126, RetryHandlerBinaryMissing, 60",
    "127, RetryHandlerBinaryMissing, 60"
  })
  void aHandlerThatNeverRanDidNotCrash(int code, HandlerReason reason, long seconds) {
    HandlerHistory history = HandlerHistory.NONE.ended(code, SHORT, NOW);

    assertThat(history.crashed()).isFalse();
    assertThat(history.restarts()).isZero();
    assertThat(history.reason()).isEqualTo(reason);
    assertThat(history.left(NOW)).contains(Duration.ofSeconds(seconds));
  }

  /** Neither a crash nor its consequence is lost with the supervisor. */
  @Test
  void aHandlerThatWasKilledWithItsSupervisorHasCrashed() {
    HandlerHistory history = HandlerHistory.NONE.ended(201, SHORT, NOW);

    assertThat(history.crashed()).isTrue();
    assertThat(history.last()).isEqualTo("cxi_rh was killed together with its supervisor");
  }

  @Test
  void whatWasAskedForIsForgottenButForTheCount() {
    HandlerHistory history =
        HandlerHistory.NONE.ended(1, SHORT, NOW).ended(1, SHORT, NOW).settled();

    assertThat(history.crashed()).isFalse();
    assertThat(history.left(NOW)).isEmpty();
    assertThat(history.restarts()).isEqualTo(2);
    assertThat(history.ended(1, SHORT, NOW).left(NOW)).contains(Duration.ofSeconds(1));
  }
}
