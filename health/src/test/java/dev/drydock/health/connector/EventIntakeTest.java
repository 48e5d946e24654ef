package dev.drydock.health.connector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.ProcessingStrategy;
import dev.drydock.health.transform.Deduplicator;
import dev.drydock.health.transform.TransformPipeline;
import io.grpc.Status;
import io.grpc.StatusException;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventIntakeTest {
  private static final HealthEvent SICK =
      HealthEvent.builder()
          .nodeName("n")
          .checkName("Xid")
          .errorCode("79")
          .isFatal(true)
          .processingStrategy(ProcessingStrategy.EXECUTE_REMEDIATION)
          .build();

  private final List<HealthEvent> kept = new ArrayList<>();
  private final List<HealthEvent> counted = new ArrayList<>();
  private final EventIntake intake =
      new EventIntake(
          new TransformPipeline(
              List.of(
                  new TransformPipeline.Stage(
                      Deduplicator.NAME,
                      new Deduplicator(
                          new Deduplicator.Settings(
                              Duration.ofMinutes(3), Duration.ofMinutes(1), Set.of()),
                          Clock.fixed(Instant.EPOCH, ZoneOffset.UTC),
                          new SimpleMeterRegistry())))),
          counted::add);

  private void full() {
    assertThatThrownBy(
            () ->
                intake.take(
                    List.of(SICK),
                    _ -> {
                      throw Status.RESOURCE_EXHAUSTED.asException();
                    }))
        .isInstanceOf(StatusException.class);
  }

  @Test
  void aFailureThatWasRefusedIsNoRepeatWhenItComesAgain() throws StatusException {
    full();
    full();
    intake.take(List.of(SICK), kept::addAll);
    intake.take(List.of(SICK), kept::addAll);

    assertThat(kept)
        .extracting(HealthEvent::processingStrategy)
        .as("the first acts, its repeat does not")
        .containsExactly(
            ProcessingStrategy.EXECUTE_REMEDIATION, ProcessingStrategy.STORE_AND_ANALYSE);
    assertThat(counted).isEqualTo(kept);
  }

  @Test
  void aRefusedRepeatDoesNotMakeTheFirstOneForgotten() throws StatusException {
    intake.take(List.of(SICK), kept::addAll);
    full();
    intake.take(List.of(SICK), kept::addAll);

    assertThat(kept.getLast().processingStrategy()).isEqualTo(ProcessingStrategy.STORE_AND_ANALYSE);
  }
}
