package dev.drydock.contracts.v1alpha1;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * Maintains a set of nodes: creates one NotifyMaintenance per node and starts each when budgets,
 * windows, batches and approval allow it.
 */
@Group(MaintenanceCampaign.GROUP)
@Version(MaintenanceCampaign.VERSION)
@AdditionalPrinterColumn(name = "Class", jsonPath = ".spec.maintenanceClass")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(
    name = "Done",
    jsonPath = ".status.counts.done",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Out",
    jsonPath = ".status.counts.inFlight",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Failed",
    jsonPath = ".status.counts.failed",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Nodes",
    jsonPath = ".status.counts.total",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(name = "ETA", jsonPath = ".status.eta")
@AdditionalPrinterColumn(name = "Waiting", jsonPath = ".status.waitingFor[0].message", priority = 1)
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class MaintenanceCampaign
    extends CustomResource<MaintenanceCampaignSpec, MaintenanceCampaignStatus> {
  public static final String GROUP = "drydock.dev";
  public static final String VERSION = "v1alpha1";
  public static final String KIND = "MaintenanceCampaign";
  public static final String PLURAL = "maintenancecampaigns";
}
