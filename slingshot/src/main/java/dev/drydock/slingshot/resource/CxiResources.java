package dev.drydock.slingshot.resource;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.cxi.CXIDevice;
import dev.drydock.contracts.cxi.CXIDriver;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;
import dev.drydock.contracts.v1alpha1.MaintenanceClass;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Json;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Typed;
import dev.drydock.serve.tls.WebhookConfiguration;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The kinds that the operator and driver agents read and write, and how they read them. */
public final class CxiResources {
  public static final Resource DRIVERS =
      Resource.cluster(CXIDriver.GROUP, CXIDriver.VERSION, CXIDriver.PLURAL, CXIDriver.KIND);
  public static final Resource DEVICES =
      Resource.cluster(CXIDriver.GROUP, CXIDriver.VERSION, CXIDevice.PLURAL, CXIDevice.KIND);
  public static final Resource MAINTENANCES =
      Resource.namespaced(
          NotifyMaintenance.GROUP,
          NotifyMaintenance.VERSION,
          NotifyMaintenance.PLURAL,
          NotifyMaintenance.KIND);
  public static final Resource CAMPAIGNS =
      Resource.cluster(
          MaintenanceCampaign.GROUP,
          MaintenanceCampaign.VERSION,
          MaintenanceCampaign.PLURAL,
          MaintenanceCampaign.KIND);
  public static final Resource CLASSES =
      Resource.cluster(
          MaintenanceClass.GROUP,
          MaintenanceClass.VERSION,
          MaintenanceClass.PLURAL,
          MaintenanceClass.KIND);
  public static final Resource SERVICE_ACCOUNTS =
      Resource.namespaced("", "v1", "serviceaccounts", "ServiceAccount");
  public static final Resource INJECTORS = WebhookConfiguration.mutating("").resource();

  private static final Logger LOG = LoggerFactory.getLogger(CxiResources.class);

  /** Of a maintenance's labels and annotations, if they are too large. */
  private static final List<String> KEPT =
      List.of(CXIDriver.GROUP + "/", MaintenanceNames.LABEL_PREFIX, MaintenanceClass.GROUP + "/");

  private CxiResources() {}

  /** A maintenance, of any size. */
  public static ApiObject maintenance(JsonNode maintenance) {
    return ApiObject.bounded(maintenance, KEPT);
  }

  /** What the driver agent of a node said last; what cannot be read was never said. */
  public static Optional<DriverReport> driverReport(ApiObject node) {
    String said = node.annotations().get(CxiNames.DRIVER_REPORT);
    if (said == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(Typed.read(Json.read(said), DriverReport.class))
          .filter(report -> report.state() != null);
    } catch (IOException | IllegalStateException malformed) {
      LOG.debug(
          "{} of node {} cannot be read: {}",
          CxiNames.DRIVER_REPORT,
          node.name(),
          malformed.getMessage());
      return Optional.empty();
    }
  }
}
