package dev.drydock.maintenance.command;

import dev.drydock.cli.ClusterScopedNames;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;

/** Completes names of MaintenanceClasses. */
public final class ClassNameCandidates extends ClusterScopedNames {
  public ClassNameCandidates() {
    super(MaintenanceClass.GROUP, MaintenanceClass.VERSION, MaintenanceClass.PLURAL);
  }
}
