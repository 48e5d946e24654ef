package dev.drydock.contracts.lifecycle;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Pattern;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** The progress of a LifecycleEvent. {@code message} is an extension of Drydock. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LifecycleEventStatus(
    @JsonPropertyDescription("Pending, Claimed, Succeeded, Failed or SlaExpired.")
        @Nullable ClaimStatus claimStatus,
    @JsonPropertyDescription("The driver that carries the event out; set when it is claimed.")
        @Nullable String driver,
    @JsonPropertyDescription("The deadline for the transition.") @Pattern(Limits.TIME)
        @Nullable ZonedDateTime sla,
    @JsonPropertyDescription("What the event waits for, or why it ended.")
        @Nullable String message) {}
