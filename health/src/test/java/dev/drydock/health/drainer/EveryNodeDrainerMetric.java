package dev.drydock.health.drainer;

import dev.drydock.contracts.health.HealthStatus;
import dev.drydock.health.decide.StateLabel;
import dev.drydock.health.drainer.decide.DrainScope;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** All numbers of the node drainer, for tests of their names. */
public final class EveryNodeDrainerMetric {
  private EveryNodeDrainerMetric() {}

  public static void count(MeterRegistry registry) {
    NodeDrainerMetrics metrics = new NodeDrainerMetrics(registry, true, true);
    DrainScope device = new DrainScope.Device("GPU_UUID", "GPU-1");
    metrics.received();
    metrics.replayed();
    metrics.assigned(false, true);
    metrics.processed("n", HealthStatus.SUCCEEDED, device);
    metrics.cancelled("n", "check");
    metrics.failed("n", "error");
    metrics.partial("n", device);
    metrics.forceDeleted("n", "namespace");
    metrics.kindMissing("n");
    metrics.handled(Duration.ofSeconds(1));
    metrics.drained(Duration.ofSeconds(1));
    metrics.stateChanges().unexpected(Optional.empty(), Optional.of(StateLabel.DRAINING));
    metrics.relisted("node-drainer");
    metrics.refresh(1, List.of("n"));
  }
}
