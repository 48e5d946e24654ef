package dev.drydock.contracts.health;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What has been done about an event.
 *
 * @param nodeQuarantined one of the words in {@link HealthStatus}, or empty
 * @param faultRemediated null: untouched
 * @param spanIds by service
 */
public record HealthEventStatus(
    String nodeQuarantined,
    @Nullable Instant quarantineFinishTimestamp,
    OperationStatus userPodsEvictionStatus,
    @Nullable Instant drainFinishTimestamp,
    @Nullable Boolean faultRemediated,
    @Nullable Instant lastRemediationTimestamp,
    Map<String, String> spanIds) {
  /** That of a new event. */
  public static final HealthEventStatus NEW =
      new HealthEventStatus("", null, OperationStatus.EMPTY, null, null, null, Map.of());

  public HealthEventStatus {
    spanIds = Collections.unmodifiableMap(new LinkedHashMap<>(spanIds));
  }
}
