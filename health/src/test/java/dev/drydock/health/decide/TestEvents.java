package dev.drydock.health.decide;

import dev.drydock.contracts.health.BehaviourOverrides;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.RecommendedAction;
import java.time.Instant;
import java.util.List;

/** Events for tests. */
public final class TestEvents {
  public static final Instant NOW = Instant.parse("2026-07-01T12:00:00Z");

  private TestEvents() {}

  public static HealthEvent.Builder unhealthy(String id) {
    return HealthEvent.builder()
        .version(1)
        .agent("gpu-health-monitor")
        .componentClass("GPU")
        .checkName("GpuXidError")
        .isFatal(true)
        .message("XID error occurred")
        .recommendedAction(RecommendedAction.RESTART_VM)
        .nodeName("node-1")
        .id(id);
  }

  public static HealthEvent.Builder healthy(String id) {
    return unhealthy(id)
        .isHealthy(true)
        .isFatal(false)
        .message("")
        .recommendedAction(RecommendedAction.NONE);
  }

  public static HealthEvent.Builder forced(String id) {
    return unhealthy(id).quarantineOverrides(new BehaviourOverrides(true, false));
  }

  static Incoming fresh(HealthEvent event, String... matched) {
    return new Incoming(event, NOW, List.of(matched), false);
  }
}
