package dev.drydock.contracts.nvsentinel;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.ShortNames;
import io.fabric8.kubernetes.model.annotation.Version;

/** Hands a node to somebody outside for repair. Drydock writes it; another controller serves it. */
@Group(ExternalRemediationRequest.GROUP)
@Version(ExternalRemediationRequest.VERSION)
@ShortNames("extrr")
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.healthEvent.nodeName")
@AdditionalPrinterColumn(
    name = "Complete",
    jsonPath = ".status.conditions[?(@.type=='ExternalRemediationComplete')].status")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class ExternalRemediationRequest
    extends CustomResource<ExternalRemediationRequestSpec, ExternalRemediationRequestStatus> {
  public static final String GROUP = "nvsentinel.dgxc.nvidia.com";
  public static final String VERSION = "v1";
  public static final String KIND = "ExternalRemediationRequest";
}
