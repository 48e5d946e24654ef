package dev.drydock.contracts.health;

/**
 * A component of the node that an event is about.
 *
 * @param entityType such as {@code GPU} or {@code PCI}
 */
public record ImpactedEntity(String entityType, String entityValue) {}
