package dev.drydock.slingshot.deviceplugin.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NicHealthTest {
  private static final Duration HYSTERESIS = Duration.ofSeconds(30);

  private static NicCondition link(boolean up) {
    return new NicCondition("cxi0", 0, up, Optional.empty());
  }

  private static NicHealth look(NicHealth before, boolean up, long second) {
    return before.next(link(up), Duration.ofSeconds(second), HYSTERESIS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void atFirstTheLinkIsTakenAsItIs(boolean up) {
    assertThat(NicHealth.first(link(up)).healthy()).isEqualTo(up);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aLinkThatChangesCountsAfterAWhileInBothDirections(boolean up) {
    NicHealth health = NicHealth.first(link(up));

    health = look(health, !up, 100);
    assertThat(health.healthy()).isEqualTo(up);
    assertThat(health.due(HYSTERESIS)).contains(Duration.ofSeconds(130));
    health = look(health, !up, 129);
    assertThat(health.healthy()).isEqualTo(up);
    health = look(health, !up, 130);
    assertThat(health.healthy()).isEqualTo(!up);
    assertThat(health.due(HYSTERESIS)).isEmpty();
    assertThat(health.problem()).isEqualTo(up ? Optional.of("its link is down") : Optional.empty());
  }

  @Test
  void aLinkThatFlapsChangesNothing() {
    NicHealth health = NicHealth.first(link(true));
    for (int second = 0; second < 600; second += 10) {
      health = look(health, second % 20 == 0, second);
      assertThat(health.healthy()).isTrue();
    }
  }

  @Test
  void whateverElseIsWrongCountsAtOnceAndEndsAtOnce() {
    NicHealth health = NicHealth.first(link(true));

    health =
        health.next(
            new NicCondition("cxi0", 0, true, Optional.of("/dev/cxi0 is missing")),
            Duration.ZERO,
            HYSTERESIS);
    assertThat(health.problem()).contains("/dev/cxi0 is missing");
    assertThat(health.healthy()).isFalse();

    health = look(health, true, 1);
    assertThat(health.healthy()).isTrue();
  }

  /** Against the whole history, of which the state is a summary. */
  @Test
  void theStateChangesExactlyWhenTheLinkWasOtherwiseForTheWholeTime() {
    Random random = new Random(3);
    for (int round = 0; round < 200; round++) {
      boolean counts = random.nextBoolean();
      NicHealth health = NicHealth.first(link(counts));
      long otherSince = -1;
      for (long second = 0; second < 300; second += 1 + random.nextInt(20)) {
        boolean up = random.nextInt(10) > 0 == (round % 2 == 0);
        otherSince = up == counts ? -1 : otherSince < 0 ? second : otherSince;
        if (otherSince >= 0 && second - otherSince >= 30) {
          counts = up;
          otherSince = -1;
        }
        health = look(health, up, second);
        assertThat(health.healthy()).isEqualTo(counts);
      }
    }
  }
}
