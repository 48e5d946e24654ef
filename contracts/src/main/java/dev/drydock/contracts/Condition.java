package dev.drydock.contracts;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** A condition in a status, following the Kubernetes API conventions. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Condition(
    @Required @JsonPropertyDescription("The condition's type, in CamelCase.") String type,
    @Required @JsonPropertyDescription("True, False or Unknown.") @Pattern("True|False|Unknown")
        String status,
    @Required
        @JsonPropertyDescription("The reason, as one CamelCase word.")
        @Size(min = 1, max = 1024)
        @Pattern("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
        String reason,
    @Required @JsonPropertyDescription("The reason as text for people.") @Size(max = 32768)
        String message,
    @Required @JsonPropertyDescription("When the status last changed.") @Pattern(Limits.TIME)
        String lastTransitionTime,
    @JsonPropertyDescription("The object's generation that the condition was computed from.")
        @Nullable Long observedGeneration) {}
