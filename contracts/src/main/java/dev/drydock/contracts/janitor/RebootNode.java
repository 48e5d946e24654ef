package dev.drydock.contracts.janitor;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** Requests that a node be restarted. Drydock writes it; another controller serves it. */
@Group(RebootNode.GROUP)
@Version(RebootNode.VERSION)
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.nodeName")
@AdditionalPrinterColumn(
    name = "Ready",
    jsonPath = ".status.conditions[?(@.type=='NodeReady')].status")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class RebootNode extends CustomResource<NodeActionSpec, NodeActionStatus> {
  public static final String GROUP = "janitor.dgxc.nvidia.com";
  public static final String VERSION = "v1alpha1";
  public static final String KIND = "RebootNode";
}
