package dev.drydock.health.condition;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;
import java.util.Locale;

/** The numbers of conditions and Events under the original's names. Thread-safe. */
public final class ConditionMetrics {
  private static final String PREFIX = "k8s_platform_connector_";
  private final MeterRegistry registry;

  public ConditionMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** How a write ended: a closed set. */
  enum Status {
    SUCCESS,
    FAILED,
    /** It would have changed nothing. */
    SKIPPED;

    String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  void condition(Status status) {
    Counter.builder(PREFIX + "node_condition_update")
        .tags(Tags.of("status", status.word()))
        .register(registry)
        .increment();
  }

  void conditionTook(Duration time) {
    took("node_condition_update_duration_milliseconds", time);
  }

  /**
   * @param operation {@code create} or {@code update}
   */
  void event(String operation, Status status) {
    Counter.builder(PREFIX + "node_event_operations")
        .tags(Tags.of("operation", operation, "status", status.word()))
        .register(registry)
        .increment();
  }

  void eventTook(Duration time) {
    took("node_event_update_create_duration_milliseconds", time);
  }

  private void took(String name, Duration time) {
    DistributionSummary.builder(PREFIX + name)
        .serviceLevelObjectives(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 5000)
        .register(registry)
        .record(time.toNanos() / 1e6);
  }

  /** A write that the API server will never accept. */
  void dropped(String operation) {
    Counter.builder(PREFIX + "dropped_writes")
        .tags(Tags.of("operation", operation, "reason", "permanent_error"))
        .register(registry)
        .increment();
  }
}
