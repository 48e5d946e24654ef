package dev.drydock.contracts.lifecycle;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** Which transition, of which node. */
public record LifecycleEventSpec(
    @Required
        @JsonPropertyDescription("The name of the LifecycleTransition. It cannot be changed.")
        @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self == oldSelf",
            message = "spec.transitionName cannot be changed; create another LifecycleEvent",
            reason = "FieldValueForbidden")
        String transitionName,
    @Required
        @JsonPropertyDescription("The name of the Node. It cannot be changed.")
        @Size(min = 1, max = 253)
        @Pattern(Limits.SUBDOMAIN)
        @ValidationRule(
            value = "self == oldSelf",
            message = "spec.bindingNode cannot be changed; create another LifecycleEvent",
            reason = "FieldValueForbidden")
        String bindingNode) {}
