package dev.drydock.health.remediation.decide;

/** A maintenance resource by its kind and name. */
public record MaintenanceReference(MaintenanceKind kind, String name) {
  @Override
  public String toString() {
    return kind.kind() + " " + name;
  }
}
