package dev.drydock.slingshot.control;

import dev.drydock.contracts.cxi.CXIDevice;
import dev.drydock.contracts.cxi.CXIDriver;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import dev.drydock.kube.Resource;
import dev.drydock.serve.tls.WebhookConfiguration;

/** The kinds that the controller reads and writes. */
public final class CxiResources {
  public static final Resource DRIVERS =
      Resource.cluster(CXIDriver.GROUP, CXIDriver.VERSION, CXIDriver.PLURAL, CXIDriver.KIND);
  public static final Resource DEVICES =
      Resource.cluster(CXIDriver.GROUP, CXIDriver.VERSION, CXIDevice.PLURAL, CXIDevice.KIND);
  static final Resource MAINTENANCES =
      Resource.namespaced(
          NotifyMaintenance.GROUP,
          NotifyMaintenance.VERSION,
          NotifyMaintenance.PLURAL,
          NotifyMaintenance.KIND);
  static final Resource CAMPAIGNS =
      Resource.cluster(
          MaintenanceCampaign.GROUP,
          MaintenanceCampaign.VERSION,
          MaintenanceCampaign.PLURAL,
          MaintenanceCampaign.KIND);
  static final Resource CLASSES =
      Resource.cluster(
          MaintenanceClass.GROUP,
          MaintenanceClass.VERSION,
          MaintenanceClass.PLURAL,
          MaintenanceClass.KIND);
  static final Resource SERVICE_ACCOUNTS =
      Resource.namespaced("", "v1", "serviceaccounts", "ServiceAccount");
  static final Resource INJECTORS = WebhookConfiguration.mutating("").resource();

  private CxiResources() {}
}
