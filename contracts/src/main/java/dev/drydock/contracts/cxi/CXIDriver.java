package dev.drydock.contracts.cxi;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * The CXI driver of a set of nodes: which version, from where, how it is rolled out, and what runs
 * on the nodes beside it. Only one CXIDriver of a cluster is active.
 */
@Group(CXIDriver.GROUP)
@Version(CXIDriver.VERSION)
@AdditionalPrinterColumn(name = "Version", jsonPath = ".spec.version")
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.ready",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Updating",
    jsonPath = ".status.updating",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Failed",
    jsonPath = ".status.failed",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Degraded",
    jsonPath = ".status.conditions[?(@.type==\"Degraded\")].reason",
    priority = 1)
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class CXIDriver extends CustomResource<CXIDriverSpec, CXIDriverStatus> {
  public static final String GROUP = "cxi.hpe.com";
  public static final String VERSION = "v1";
  public static final String KIND = "CXIDriver";
  public static final String PLURAL = "cxidrivers";
}
