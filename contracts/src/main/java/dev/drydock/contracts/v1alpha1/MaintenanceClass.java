package dev.drydock.contracts.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * How maintenances of a kind are carried out: who drains the node, who does the work, and who
 * validates the node. A NotifyMaintenance names its class; without one, only other operators drive
 * it.
 */
@Group(MaintenanceClass.GROUP)
@Version(MaintenanceClass.VERSION)
@AdditionalPrinterColumn(name = "SLA", jsonPath = ".spec.slaPeriod")
@AdditionalPrinterColumn(name = "Ready", jsonPath = ".status.conditions[?(@.type=='Ready')].status")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class MaintenanceClass
    extends CustomResource<MaintenanceClassSpec, MaintenanceClassStatus> {
  public static final String GROUP = "drydock.dev";
  public static final String VERSION = "v1alpha1";
  public static final String KIND = "MaintenanceClass";
  public static final String PLURAL = "maintenanceclasses";
}
