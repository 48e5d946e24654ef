package dev.drydock.health.store;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.health.HealthEventStatus;
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
    String id, Instant createdAt, HealthEvent event, HealthEventStatus status, String episode) {}
