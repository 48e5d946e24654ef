package dev.drydock.contracts.lifecycle;

import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalSelectableField;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;

/** Requests a transition of a node. The claimer has it carried out and then deletes the event. */
@Group(LifecycleNames.OWN_GROUP)
@Version(LifecycleNames.VERSION)
@AdditionalPrinterColumn(name = "Transition", jsonPath = ".spec.transitionName")
@AdditionalPrinterColumn(name = "Node", jsonPath = ".spec.bindingNode")
@AdditionalPrinterColumn(name = "Status", jsonPath = ".status.claimStatus")
@AdditionalPrinterColumn(name = "Driver", jsonPath = ".status.driver")
@AdditionalPrinterColumn(
    name = "Age",
    jsonPath = ".metadata.creationTimestamp",
    type = AdditionalPrinterColumn.Type.DATE)
@AdditionalPrinterColumn(
    name = "SLA",
    jsonPath = ".status.sla",
    type = AdditionalPrinterColumn.Type.STRING)
@AdditionalPrinterColumn(name = "Message", jsonPath = ".status.message")
@AdditionalSelectableField(jsonPath = ".spec.bindingNode")
public final class LifecycleEvent
    extends CustomResource<LifecycleEventSpec, LifecycleEventStatus> {}
