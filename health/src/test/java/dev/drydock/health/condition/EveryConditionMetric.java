package dev.drydock.health.condition;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** All numbers of conditions, for tests of their names. */
public final class EveryConditionMetric {
  private EveryConditionMetric() {}

  public static void count(MeterRegistry registry) {
    ConditionMetrics metrics = new ConditionMetrics(registry);
    metrics.condition(ConditionMetrics.Status.SKIPPED);
    metrics.conditionTook(Duration.ofMillis(1));
    metrics.event("create", ConditionMetrics.Status.SUCCESS);
    metrics.eventTook(Duration.ofMillis(1));
    metrics.dropped("node_event", "permanent_error");
  }
}
