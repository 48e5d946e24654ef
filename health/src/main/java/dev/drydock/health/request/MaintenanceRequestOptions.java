package dev.drydock.health.request;

import java.util.Optional;

/**
 * How MaintenanceRequests are carried out.
 *
 * @param namespace of the NotifyMaintenances
 * @param maintenanceClass of the NotifyMaintenances, if any
 */
public record MaintenanceRequestOptions(String namespace, Optional<String> maintenanceClass) {}
