package dev.drydock.contracts.ngn2;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalSelectableField;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * One maintenance of one node: schedulers, drainers, maintenance and validation clients watch its
 * state and advance it with labels and annotations ({@link MaintenanceNames}).
 */
@Group(NotifyMaintenance.GROUP)
@Version(NotifyMaintenance.VERSION)
@AdditionalPrinterColumn(name = "MaintenanceID", jsonPath = ".spec.maintenanceID")
@AdditionalPrinterColumn(name = "Status", jsonPath = ".status.maintenanceStatus")
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.nodeObject")
@AdditionalPrinterColumn(
    name = "SLAExpiry",
    jsonPath = ".status.slaExpires",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(
    name = "ReadyForMaintenance",
    jsonPath = ".status.conditions[?(@.type=='readyForMaintenance')].status")
@AdditionalPrinterColumn(name = "Waiting", jsonPath = ".status.waitingFor", priority = 1)
@AdditionalSelectableField(jsonPath = ".spec.nodeObject")
@AdditionalSelectableField(jsonPath = ".spec.maintenanceID")
public final class NotifyMaintenance
    extends CustomResource<NotifyMaintenanceSpec, NotifyMaintenanceStatus> implements Namespaced {
  public static final String GROUP = "ngn2.nvidia.com";
  public static final String VERSION = "v1alpha1";
  public static final String KIND = "NotifyMaintenance";
  public static final String PLURAL = "notifymaintenances";
}
