package dev.drydock.health.decide;

import static dev.drydock.health.decide.TestEvents.NOW;
import static dev.drydock.health.decide.TestEvents.healthy;
import static dev.drydock.health.decide.TestEvents.unhealthy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.decide.QuarantineFold.Entry;
import dev.drydock.health.decide.QuarantineFold.Outcome;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class QuarantineFoldTest {
  private static final HealthEvent CLEARED = unhealthy("1").build();
  private static final HealthEvent RECOVERY = healthy("2").build();
  private static final HealthEvent LATER = unhealthy("3").build();

  private static Incoming again(HealthEvent event, int second) {
    return new Incoming(event, NOW.plusSeconds(second), List.of("rule"), true, Set.of());
  }

  private static QuarantineFold.Result fold(QuarantineState before, Incoming... events) {
    return QuarantineFold.of(
        before,
        List.of(events),
        new QuarantineFold.Gate() {
          @Override
          public Entry ask(Incoming incoming) {
            return new Entry.Open();
          }

          @Override
          public boolean isSuperseded(Incoming incoming) {
            return incoming.event().equals(CLEARED);
          }
        },
        NOW);
  }

  /** The process died after the outcomes were stored and before its position in the feed was. */
  @Test
  void whatWasClearedBeforeTheQuarantineBeganStaysLeftOutWhenItComesOnceMore() {
    QuarantineState begun =
        fold(QuarantineState.NONE, again(CLEARED, 1), again(RECOVERY, 2), again(LATER, 3)).after();
    assertThat(begun.quarantine().map(Quarantine::episode)).contains("3");

    QuarantineFold.Result repeated = fold(begun, again(CLEARED, 1), again(RECOVERY, 2));

    assertThat(repeated.outcomes().getFirst()).isEqualTo(new Outcome.Superseded());
    assertThat(repeated.after().quarantine()).isEqualTo(begun.quarantine());
  }
}
