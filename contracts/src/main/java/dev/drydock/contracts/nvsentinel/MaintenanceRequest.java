package dev.drydock.contracts.nvsentinel;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Categories;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * Requests maintenance of a node from outside of the health monitors. While it exists, its node is
 * under maintenance; deleting it ends that.
 */
@Group(MaintenanceRequest.GROUP)
@Version(MaintenanceRequest.VERSION)
@ShortNames("mr")
@Categories("nvsentinel")
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.healthEvent.nodeName")
@AdditionalPrinterColumn(
    name = "StartTime",
    jsonPath = ".spec.startTime",
    type = AdditionalPrinterColumn.Type.STRING)
public final class MaintenanceRequest
    extends CustomResource<MaintenanceRequestSpec, MaintenanceRequestStatus> {
  public static final String GROUP = "nvsentinel.dgxc.nvidia.com";
  public static final String VERSION = "v1";
  public static final String KIND = "MaintenanceRequest";
  public static final String PLURAL = "maintenancerequests";

  /** Goes when the clearing event is stored and the Node's annotation is gone. */
  public static final String FINALIZER = "nvsentinel.dgxc.nvidia.com/maintenance-request-cleanup";

  /** On a Node: the name of the request that is active there. */
  public static final String ACTIVE = "nvsentinel.dgxc.nvidia.com/active-maintenance-request";

  /** Whether the request's event was published and its maintenance made. */
  public static final String EMITTED_CONDITION = "HealthEventEmitted";
}
