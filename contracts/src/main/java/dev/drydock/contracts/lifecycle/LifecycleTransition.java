package dev.drydock.contracts.lifecycle;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalSelectableField;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** A transition that a driver offers for nodes; Node conditions report its start and end. */
@Group(LifecycleNames.OWN_GROUP)
@Version(LifecycleNames.VERSION)
@AdditionalPrinterColumn(name = "Driver", jsonPath = ".spec.driver")
@AdditionalPrinterColumn(name = "Start", jsonPath = ".spec.start")
@AdditionalPrinterColumn(name = "End", jsonPath = ".spec.end")
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.nodeName")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(name = "SLA", jsonPath = ".spec.sla")
@AdditionalSelectableField(jsonPath = ".spec.driver")
@AdditionalSelectableField(jsonPath = ".spec.nodeName")
public final class LifecycleTransition extends CustomResource<LifecycleTransitionSpec, Void> {}
