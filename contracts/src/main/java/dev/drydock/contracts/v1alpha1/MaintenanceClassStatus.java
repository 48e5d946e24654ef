package dev.drydock.contracts.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the class can be used. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MaintenanceClassStatus(
    @JsonPropertyDescription("Ready says whether maintenances of this class can run, and why not.")
        @Nullable List<Condition> conditions) {}
