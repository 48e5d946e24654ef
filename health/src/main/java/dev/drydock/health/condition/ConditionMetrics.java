package dev.drydock.health.condition;

import dev.drydock.health.metrics.WorkQueueMetrics;
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
  private final WorkQueueMetrics queue;

  public ConditionMetrics(MeterRegistry registry) {
    this.registry = registry;
    queue = new WorkQueueMetrics(registry, "kubernetes");
  }

  /** The metrics of the queue of events that are to be shown. */
  WorkQueueMetrics queue() {
    return queue;
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

  /** Something that is not shown on its node. */
  void dropped(String operation, String reason) {
    Counter.builder(PREFIX + "dropped_writes")
        .tags(Tags.of("operation", operation, "reason", reason))
        .register(registry)
        .increment();
    Counter.builder("platform_connector_best_effort_failures")
        .tags(Tags.of("connector", "kubernetes", "reason", "failed"))
        .register(registry)
        .increment();
  }
}
