package dev.drydock.contracts.nvsentinel;

import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;

/** The failure that is to be repaired. */
public record ExternalRemediationRequestSpec(
    @Required
        @JsonPropertyDescription("The event of the failure. Its node cannot be changed.")
        @ValidationRule(
            value = "self.nodeName == oldSelf.nodeName",
            message = "spec.healthEvent.nodeName cannot be changed",
            reason = "FieldValueForbidden")
        MaintenanceRequestSpec.Event healthEvent) {}
