package dev.drydock.sim.kubelet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.kube.time.VirtualTime;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SerialTest {
  private final VirtualTime time = new VirtualTime(Instant.parse("2026-01-01T12:00:00Z"));
  private final Instant start = time.now();
  private final List<Instant> steps = new ArrayList<>();
  private final List<IOException> failures = new ArrayList<>();

  @Test
  void runsWhenKickedAndThenWhenItSaid() {
    Serial serial = serial(() -> steps.size() == 1 ? start.plusSeconds(7) : null);
    serial.kick();
    time.advance(Duration.ofMinutes(1));

    assertThat(steps).containsExactly(start, start.plusSeconds(7));
  }

  @Test
  void kicksBeforeAStepAreOneStep() {
    Serial serial = serial(() -> null);
    serial.kick();
    serial.kick();
    serial.kick();
    time.advance(Duration.ofMinutes(1));

    assertThat(steps).hasSize(1);
  }

  @Test
  void aKickDuringAStepMakesOneMoreFollow() {
    Serial[] self = new Serial[1];
    self[0] =
        serial(
            () -> {
              if (steps.size() == 1) {
                self[0].kick();
                self[0].kick();
              }
              return null;
            });
    self[0].kick();
    time.advance(Duration.ofMinutes(1));

    assertThat(steps).hasSize(2);
  }

  @Test
  void aKickReplacesTheWait() {
    Serial serial = serial(() -> steps.size() == 1 ? start.plusSeconds(7) : null);
    serial.kick();
    time.advance(Duration.ofSeconds(1));
    serial.kick();
    time.advance(Duration.ofMinutes(1));

    assertThat(steps).containsExactly(start, start.plusSeconds(1));
    assertThat(time.timers().next()).isNull();
  }

  @Test
  void aFailedStepIsReportedAndTriedAgain() {
    Serial serial =
        serial(
            () -> {
              if (steps.size() < 3) {
                throw new IOException("down");
              }
              return null;
            });
    serial.kick();
    time.advance(Duration.ofMinutes(1));

    assertThat(steps).hasSize(3);
    assertThat(failures).hasSize(2);
  }

  @Test
  void nothingRunsOnceStopped() {
    Serial serial = serial(() -> time.now().plusSeconds(1));
    serial.kick();
    time.advance(Duration.ZERO);
    serial.stop();
    serial.kick();
    time.advance(Duration.ofMinutes(1));

    assertThat(steps).hasSize(1);
  }

  private Serial serial(Serial.Step step) {
    return new Serial(
        time,
        Serial.Turns.of(1, failures::add),
        () -> {
          steps.add(time.now());
          return step.run();
        });
  }
}
