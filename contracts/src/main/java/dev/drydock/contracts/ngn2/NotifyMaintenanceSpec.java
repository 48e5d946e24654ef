package dev.drydock.contracts.ngn2;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import org.jspecify.annotations.Nullable;

/** Which node, and by whose task. {@code maintenanceClass} is an addition of Drydock. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
    value = "has(self.maintenanceClass) == has(oldSelf.maintenanceClass)",
    message = "spec.maintenanceClass cannot be added or removed; create another NotifyMaintenance",
    reason = "FieldValueForbidden")
public record NotifyMaintenanceSpec(
    @Required
        @JsonPropertyDescription("The Node's name. It must exist, and cannot be changed.")
        @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self == oldSelf",
            message = "spec.nodeObject cannot be changed; create another NotifyMaintenance",
            reason = "FieldValueForbidden")
        String nodeObject,
    @Required
        @JsonPropertyDescription(
            "The task, shared by all nodes it is done on. Part of a label's name; cannot be changed.")
        @Size(min = 1, max = 63)
        @Pattern("^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$")
        @ValidationRule(
            value = "self == oldSelf",
            message = "spec.maintenanceID cannot be changed; create another NotifyMaintenance",
            reason = "FieldValueForbidden")
        String maintenanceID,
    @Required
        @JsonPropertyDescription("planned or unplanned.")
        @ValidationRule(
            value = "self in ['planned', 'unplanned']",
            message = "spec.maintenanceType must be planned or unplanned")
        String maintenanceType,
    @JsonPropertyDescription("Where notices go besides the operator's own channels.")
        @Nullable Channels additionalMessageChannels,
    @JsonPropertyDescription(
            "A ConfigMap in the same namespace that clients read. It must exist on creation.")
        @Nullable String metadataConfigmap,
    @JsonPropertyDescription("Who is responsible, for people.") @Nullable String owner,
    @JsonPropertyDescription(
            "The MaintenanceClass that says how the node is drained, maintained and validated."
                + " Absent: other operators do all that.")
        @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self == oldSelf",
            message = "spec.maintenanceClass cannot be changed; create another NotifyMaintenance",
            reason = "FieldValueForbidden")
        @Nullable String maintenanceClass) {

  /** Where notices go. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Channels(
      @JsonPropertyDescription("An Amazon SNS FIFO topic.") @Nullable String amazonSNSTopicARN) {}
}
