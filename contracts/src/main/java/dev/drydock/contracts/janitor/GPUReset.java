package dev.drydock.contracts.janitor;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** Requests that GPUs of a node be reset. Drydock writes it; another controller serves it. */
@Group(GPUReset.GROUP)
@Version(GPUReset.VERSION)
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.nodeName")
@AdditionalPrinterColumn(name = "Phase", jsonPath = ".status.phase")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class GPUReset extends CustomResource<GPUResetSpec, GPUResetStatus> {
  public static final String GROUP = "janitor.dgxc.nvidia.com";
  public static final String VERSION = "v1alpha1";
  public static final String KIND = "GPUReset";
}
