package dev.drydock.health.request.decide;

import java.util.Optional;

/**
 * What is known about a MaintenanceRequest.
 *
 * @param reason of its condition; empty if it has none
 * @param emitted whether its condition says that it is active
 * @param problem why it cannot be served, if so
 * @param holder the request that is active on its node, if it exists; empty if there is none
 */
public record MaintenanceRequestFacts(
    String name,
    boolean deleted,
    boolean finalizer,
    String reason,
    boolean emitted,
    String node,
    boolean nodeExists,
    Optional<String> problem,
    String holder) {

  boolean isActive() {
    return holder.equals(name);
  }
}
