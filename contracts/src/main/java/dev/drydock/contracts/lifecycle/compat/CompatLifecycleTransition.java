package dev.drydock.contracts.lifecycle.compat;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.contracts.lifecycle.LifecycleTransitionSpec;
import io.fabric8.crd.generator.annotation.AdditionalPrinterColumn;
import io.fabric8.crd.generator.annotation.AdditionalSelectableField;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Kind;
import io.fabric8.kubernetes.model.annotation.Version;

/**
 * The same as {@link dev.drydock.contracts.lifecycle.LifecycleTransition}, in the group of existing
 * manifests.
 */
@Group(LifecycleNames.COMPAT_GROUP)
@Kind("LifecycleTransition")
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
public final class CompatLifecycleTransition
    extends CustomResource<LifecycleTransitionSpec, Void> {}
