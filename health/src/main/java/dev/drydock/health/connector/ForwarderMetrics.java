package dev.drydock.health.connector;

import dev.drydock.health.spool.Spool;
import io.grpc.Status;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.time.Duration;

/**
 * The numbers of what a connector sends to the central ingest: ours, and under the names that the
 * original has for its sender and for clients of the ingest. Thread-safe.
 */
final class ForwarderMetrics {
  private static final String SINK = "grpc_sink_platform_connector_";
  private static final String PUBLISHER = "nvsentinel_health_events_publisher_";
  private static final Tags MONITOR = Tags.of("monitor", "platform-connectors");
  private static final double[] MILLISECONDS = {1, 5, 10, 50, 100, 500, 1000, 5000, 30_000};

  private final MeterRegistry registry;

  ForwarderMetrics(MeterRegistry registry, Spool spool) {
    this.registry = registry;
    Gauge.builder(PUBLISHER + "queue_batches", spool, Spool::waiting)
        .tags(MONITOR)
        .register(registry);
    Gauge.builder(PUBLISHER + "queue_bytes", spool, Spool::bytes).tags(MONITOR).register(registry);
  }

  private void count(String name, Tags tags, int number) {
    Counter.builder(name).tags(tags).register(registry).increment(number);
  }

  /** A call was answered, or not. */
  void called(Duration time) {
    count(SINK + "send", Tags.empty(), 1);
    DistributionSummary.builder(SINK + "send_duration_milliseconds")
        .serviceLevelObjectives(MILLISECONDS)
        .register(registry)
        .record(time.toNanos() / 1e6);
  }

  void forwarded(int batches) {
    count("drydock_connector_forwarded_batches", Tags.empty(), batches);
    count(PUBLISHER + "sends_success", MONITOR, batches);
  }

  /** It is sent again, or without the batch that the ingest refuses. */
  void failed(Status.Code code) {
    count(SINK + "retry", Tags.empty(), 1);
    count(PUBLISHER + "retries", MONITOR, 1);
    count(PUBLISHER + "sends_error", MONITOR.and("code", code.name()), 1);
  }

  /** It will never be taken; it is kept for people. */
  void putAside() {
    count("drydock_connector_refused_batches", Tags.empty(), 1);
    count(PUBLISHER + "dropped", MONITOR.and("reason", "refused"), 1);
  }
}
