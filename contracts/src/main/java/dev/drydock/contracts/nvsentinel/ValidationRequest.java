package dev.drydock.contracts.nvsentinel;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** Requests tests of nodes. Drydock writes it; another controller serves it. */
@Group(ValidationRequest.GROUP)
@Version(ValidationRequest.VERSION)
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class ValidationRequest
    extends CustomResource<ValidationRequestSpec, ValidationRequestStatus> {
  public static final String GROUP = "nvsentinel.nvidia.com";
  public static final String VERSION = "v1alpha1";
  public static final String KIND = "ValidationRequest";
}
