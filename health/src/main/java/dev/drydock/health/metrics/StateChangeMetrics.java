package dev.drydock.health.metrics;

import dev.drydock.health.decide.StateLabel;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;

/** Counts changes of the state label that clients do not expect, whichever part makes them. */
public record StateChangeMetrics(MeterRegistry registry) {
  public void unexpected(Optional<StateLabel> before, Optional<StateLabel> after) {
    Counter.builder("nvsentinel_state_transition_unexpected")
        .tags("from", word(before), "to", word(after))
        .register(registry)
        .increment();
  }

  private static String word(Optional<StateLabel> label) {
    return label.map(StateLabel::word).orElse("none");
  }
}
