package dev.drydock.contracts;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import org.jspecify.annotations.Nullable;

/** A condition in a status, with the rules of the Kubernetes API conventions. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Condition(
    @Required @JsonPropertyDescription("What it is about, in CamelCase.") String type,
    @Required @JsonPropertyDescription("True, False or Unknown.") @Pattern("True|False|Unknown")
        String status,
    @Required
        @JsonPropertyDescription("Why, as one word for programs.")
        @Size(min = 1, max = 1024)
        @Pattern("^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$")
        String reason,
    @Required @JsonPropertyDescription("Why, for people.") @Size(max = 32768) String message,
    @Required @JsonPropertyDescription("Since when the status is what it is.")
        String lastTransitionTime,
    @JsonPropertyDescription("The generation of the object that it speaks of.")
        @Nullable Long observedGeneration) {}
