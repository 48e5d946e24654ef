package dev.drydock.contracts.cxi;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** One CXI network interface of one node, named NODE-DEVICE. The node's driver agent writes it. */
@Group(CXIDriver.GROUP)
@Version(CXIDriver.VERSION)
@AdditionalPrinterColumn(name = "Node", jsonPath = ".status.node")
@AdditionalPrinterColumn(name = "Device", jsonPath = ".status.device")
@AdditionalPrinterColumn(
    name = "NUMA",
    jsonPath = ".status.numaNode",
    type = AdditionalPrinterColumn.Type.INTEGER)
@AdditionalPrinterColumn(
    name = "Switch",
    jsonPath = ".status.switchID",
    type = AdditionalPrinterColumn.Type.INTEGER,
    priority = 1)
@AdditionalPrinterColumn(name = "Link", jsonPath = ".status.linkState")
@AdditionalPrinterColumn(name = "Health", jsonPath = ".status.health.status")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class CXIDevice extends CustomResource<CXIDeviceSpec, CXIDeviceStatus> {
  public static final String KIND = "CXIDevice";
  public static final String PLURAL = "cxidevices";
}
