package dev.drydock.lifecycle.command;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.lifecycle.claim.Claimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.IntSupplier;

/** What an agent counts. */
final class LifecycleAgentMetrics implements Claimer.Outcomes {
  private final MeterRegistry registry;

  LifecycleAgentMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Counts events that ended, and how long they took since creation, by transition and outcome. */
  @Override
  public void ended(String transition, ClaimStatus outcome, Duration took) {
    Timer.builder("drydock.lifecycle.events")
        .description("LifecycleEvents that ended, and the time since their creation")
        .tag("transition", transition)
        .tag("outcome", outcome.name())
        .register(registry)
        .record(took.isNegative() ? Duration.ZERO : took);
  }

  void remaining(IntSupplier pods) {
    var _ =
        Gauge.builder("drydock.lifecycle.pods.remaining", pods, IntSupplier::getAsInt)
            .description("Pods that the current drain waits for")
            .register(registry);
  }
}
