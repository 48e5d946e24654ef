package dev.drydock.contracts.ngn2;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** The node and the task. {@code maintenanceClass} is an extension of Drydock. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
    value = "has(self.maintenanceClass) == has(oldSelf.maintenanceClass)",
    message = "spec.maintenanceClass cannot be added or removed; create another NotifyMaintenance",
    reason = "FieldValueForbidden")
public record NotifyMaintenanceSpec(
    @Required
        @JsonPropertyDescription("The name of the Node. The Node must exist. It cannot be changed.")
        @Size(min = 1, max = 253)
        @Pattern(Limits.SUBDOMAIN)
        @ValidationRule(
            value = "self == oldSelf",
            message = "spec.nodeObject cannot be changed; create another NotifyMaintenance",
            reason = "FieldValueForbidden")
        String nodeObject,
    @Required
        @JsonPropertyDescription(
            "The task's ID, shared by all its nodes. Part of a label key. It cannot be changed.")
        @Size(min = 1, max = 63)
        @Pattern("^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$")
        @ValidationRule(
            value = "self == oldSelf",
            message = "spec.maintenanceID cannot be changed; create another NotifyMaintenance",
            reason = "FieldValueForbidden")
        String maintenanceID,
    @Required
        @JsonPropertyDescription("planned or unplanned.")
        @Size(max = 16)
        @ValidationRule(
            value = "self in ['planned', 'unplanned']",
            message = "spec.maintenanceType must be planned or unplanned")
        String maintenanceType,
    @JsonPropertyDescription("Where notices are sent in addition to the operator's channels.")
        @Nullable Channels additionalMessageChannels,
    @JsonPropertyDescription(
            "A ConfigMap in the same namespace for clients. It must exist when this object is created.")
        @Size(max = 253)
        @Nullable String metadataConfigmap,
    @JsonPropertyDescription("The person or team responsible.") @Nullable String owner,
    @JsonPropertyDescription(
            "The MaintenanceClass that says how the node is drained, maintained and validated."
                + " Absent: other operators do this.")
        @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self == oldSelf",
            message = "spec.maintenanceClass cannot be changed; create another NotifyMaintenance",
            reason = "FieldValueForbidden")
        @Nullable String maintenanceClass) {

  /** Where notices are sent. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Channels(
      @JsonPropertyDescription("An Amazon SNS FIFO topic.") @Nullable String amazonSNSTopicARN) {}
}
