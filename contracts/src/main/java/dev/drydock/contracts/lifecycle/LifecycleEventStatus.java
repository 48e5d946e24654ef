package dev.drydock.contracts.lifecycle;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.time.ZonedDateTime;
import org.jspecify.annotations.Nullable;

/** How far the event is. {@code message} is an addition of Drydock. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LifecycleEventStatus(
    @JsonPropertyDescription("Pending, Claimed, Succeeded, Failed or SlaExpired.")
        @Nullable ClaimStatus claimStatus,
    @JsonPropertyDescription("The driver that carries it out, since it was claimed.")
        @Nullable String driver,
    @JsonPropertyDescription("Until when it has to be over.") @Nullable ZonedDateTime sla,
    @JsonPropertyDescription("What it waits for, or why it ended as it did.")
        @Nullable String message) {}
