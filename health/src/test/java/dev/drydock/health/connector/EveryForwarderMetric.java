package dev.drydock.health.connector;

import dev.drydock.health.metrics.WorkQueueMetrics;
import dev.drydock.health.spool.Spool;
import io.grpc.Status;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;

/** All numbers of what a connector sends, for tests of their names. */
public final class EveryForwarderMetric {
  private EveryForwarderMetric() {}

  public static void count(MeterRegistry registry, Spool spool) {
    var _ = new WorkQueueMetrics(registry, "databaseStore");
    ForwarderMetrics metrics = new ForwarderMetrics(registry, spool);
    metrics.called(Duration.ofMillis(1));
    metrics.forwarded(1);
    metrics.failed(Status.Code.UNAVAILABLE);
    metrics.putAside();
  }
}
