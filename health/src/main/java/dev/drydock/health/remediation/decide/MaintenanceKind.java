package dev.drydock.health.remediation.decide;

/**
 * A kind of maintenance resource, and how its end is recognized.
 *
 * @param namespace of its objects; empty if the kind is cluster-scoped
 * @param completeCondition True when the work is done, False when it has failed
 */
public record MaintenanceKind(
    String apiGroup, String version, String kind, String namespace, String completeCondition) {

  public String apiVersion() {
    return apiGroup.isEmpty() ? version : apiGroup + "/" + version;
  }
}
