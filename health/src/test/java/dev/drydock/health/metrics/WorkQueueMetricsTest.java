package dev.drydock.health.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class WorkQueueMetricsTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final WorkQueueMetrics metrics = new WorkQueueMetrics(registry, "databaseStore");

  private double gauge(String name) {
    return registry.get("platform_connector_workqueue_" + name + "_databaseStore").gauge().value();
  }

  @Test
  void theOriginalsNamesSayWhatWaitsAndHowItGoes() {
    metrics.count(Clock.fixed(NOW, ZoneOffset.UTC), () -> 3, () -> 17);
    metrics.work(NOW.minusSeconds(2), () -> assertThat(gauge("unfinished_work_seconds")).isZero());
    assertThatThrownBy(
            () ->
                metrics.work(
                    NOW,
                    () -> {
                      throw new IOException("away");
                    }))
        .hasMessage("away");

    assertThat(gauge("depth")).isEqualTo(3);
    assertThat(gauge("adds_total")).isEqualTo(17);
    assertThat(gauge("retries_total")).isEqualTo(1);
    assertThat(gauge("longest_running_processor_seconds")).isZero();
    assertThat(
            registry
                .get("platform_connector_workqueue_latency_seconds_databaseStore")
                .summary()
                .max())
        .isEqualTo(2);
    assertThat(
            registry
                .get("platform_connector_workqueue_work_duration_seconds_databaseStore")
                .summary()
                .count())
        .isEqualTo(2);
  }
}
