package dev.drydock.health.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.health.decide.StateLabel;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StateChangeMetricsTest {
  @Test
  void everyChangeHasTheSameLabels() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    StateChangeMetrics metrics = new StateChangeMetrics(registry);

    metrics.unexpected(Optional.empty(), Optional.of(StateLabel.DRAINING));
    metrics.unexpected(
        Optional.of(StateLabel.DRAIN_FAILED), Optional.of(StateLabel.REMEDIATION_FAILED));

    assertThat(
            registry.get("nvsentinel_state_transition_unexpected").counters().stream()
                .map(
                    counter -> counter.getId().getTag("from") + " " + counter.getId().getTag("to")))
        .containsExactlyInAnyOrder("none draining", "drain-failed remediation-failed");
  }
}
