package dev.drydock.maintenance.command;

import dev.drydock.cli.ClusterNames;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;

/** Names of MaintenanceClasses. */
public final class ClassNames extends ClusterNames {
  public ClassNames() {
    super(MaintenanceClass.GROUP, MaintenanceClass.VERSION, MaintenanceClass.PLURAL);
  }
}
