package dev.drydock.contracts.nvsentinel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The event that is published while the request exists. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record MaintenanceRequestSpec(
    @Required @JsonPropertyDescription("The event, as a monitor would send it.") Event healthEvent,
    @JsonPropertyDescription(
            "When the maintenance is to start, for people. It must not be in the past at creation.")
        @Pattern(Limits.TIME)
        @Nullable String startTime) {

  /** A health event; actions and strategies have the names of the protocol. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Event(
      @JsonPropertyDescription("The version of the event's schema, not 0.")
          @Nullable Integer version,
      @JsonPropertyDescription("Who requests the maintenance.") @Nullable String agent,
      @JsonPropertyDescription("The component's class, e.g. GPU.") @Nullable String componentClass,
      @JsonPropertyDescription("The name of the check.") @Nullable String checkName,
      @JsonPropertyDescription("Whether the node cannot be used.") @Nullable Boolean isFatal,
      @JsonPropertyDescription("Must not be true.") @Nullable Boolean isHealthy,
      @JsonPropertyDescription("The reason, for people.") @Nullable String message,
      @JsonPropertyDescription("What is recommended, e.g. RESTART_VM.")
          @Nullable String recommendedAction,
      @JsonPropertyDescription("Error codes.") @Nullable List<String> errorCode,
      @JsonPropertyDescription("The components that it is about.")
          @Nullable List<Entity> entitiesImpacted,
      @JsonPropertyDescription("Further data.") @Nullable Map<String, String> metadata,
      @JsonPropertyDescription("When it was found; by default when the request was created.")
          @Pattern(Limits.TIME)
          @Nullable String generatedTimestamp,
      @Required
          @JsonPropertyDescription("The name of the Node, which must exist.")
          @Size(min = 1, max = 253)
          @Pattern(Limits.SUBDOMAIN)
          String nodeName,
      @JsonPropertyDescription("What is done whatever the rules of quarantine say.")
          @Nullable Overrides quarantineOverrides,
      @JsonPropertyDescription("What is done whatever the rules of drains say.")
          @Nullable Overrides drainOverrides,
      @JsonPropertyDescription("How far the event goes, e.g. EXECUTE_REMEDIATION.")
          @Nullable String processingStrategy,
      @JsonPropertyDescription("The event's id; by default made from the request's UID.")
          @Nullable String id,
      @JsonPropertyDescription("The name of the action, if recommendedAction is CUSTOM.")
          @Nullable String customRecommendedAction) {}

  /** A component of the node. */
  public record Entity(@Nullable String entityType, @Nullable String entityValue) {}

  /** Overrides of rules. */
  public record Overrides(@Nullable Boolean force, @Nullable Boolean skip) {}
}
