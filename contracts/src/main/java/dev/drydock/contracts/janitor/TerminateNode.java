package dev.drydock.contracts.janitor;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * Requests that a node be given back and replaced. Drydock writes it; another controller serves it.
 */
@Group(TerminateNode.GROUP)
@Version(TerminateNode.VERSION)
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.nodeName")
@AdditionalPrinterColumn(
    name = "Terminated",
    jsonPath = ".status.conditions[?(@.type=='NodeTerminated')].status")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
public final class TerminateNode extends CustomResource<NodeActionSpec, NodeActionStatus> {
  public static final String GROUP = "janitor.dgxc.nvidia.com";
  public static final String VERSION = "v1alpha1";
  public static final String KIND = "TerminateNode";
}
