package dev.drydock.health.store;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
import dev.drydock.contracts.health.HealthStatus;
import java.time.Instant;

/**
 * An event as it is stored.
 *
 * @param id given by the store; later events have greater ones only in the embedded store
 * @param createdAt when it was appended
 * @param event with {@link HealthEvent#id} set to the id
 * @param episode of the node's quarantine that it belongs to; empty if none. What belongs to
 *     another episode than the node's present one is stale.
 */
public record StoredEvent(
    String id, Instant createdAt, HealthEvent event, HealthEventStatus status, String episode) {
  /** Whether nothing has been decided about a quarantine because of it. */
  public boolean isUndecided() {
    return status.nodeQuarantined().isEmpty()
        || HealthStatus.NOT_STARTED.is(status.nodeQuarantined());
  }
}
