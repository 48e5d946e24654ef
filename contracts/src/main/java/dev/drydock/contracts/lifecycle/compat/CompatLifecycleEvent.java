package dev.drydock.contracts.lifecycle.compat;

import dev.drydock.contracts.lifecycle.LifecycleEventSpec;
import dev.drydock.contracts.lifecycle.LifecycleEventStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalSelectableField;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * The same as {@link dev.drydock.contracts.lifecycle.LifecycleEvent}, in the group of existing
 * manifests.
 */
@Group(LifecycleNames.COMPAT_GROUP)
@Kind("LifecycleEvent")
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
public final class CompatLifecycleEvent
    extends CustomResource<LifecycleEventSpec, LifecycleEventStatus> {}
