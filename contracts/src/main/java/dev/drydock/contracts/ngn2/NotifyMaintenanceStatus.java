package dev.drydock.contracts.ngn2;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The progress of a maintenance. {@code history}, {@code waitingFor} and {@code lastLogLines} are
 * extensions of Drydock.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NotifyMaintenanceStatus(
    @JsonPropertyDescription(
            "The state, one of MaintenanceState; empty until the operator has processed the object.")
        @Nullable String maintenanceStatus,
    @JsonPropertyDescription("From when on the remaining pods may be removed by force.")
        @Pattern(Limits.TIME)
        @Nullable String slaExpires,
    @Nullable List<FreeCondition> conditions,
    @JsonPropertyDescription("Every change of maintenanceStatus.")
        @Nullable List<Transition> transitionTimestamps,
    @JsonPropertyDescription("The history of this maintenance, oldest entry first.")
        @Nullable List<Step> history,
    @JsonPropertyDescription("What has to happen next, and who has to do it.")
        @Nullable String waitingFor,
    @JsonPropertyDescription("The last log lines of the Job that failed last.")
        @Nullable List<String> lastLogLines) {

  /** A condition whose status may be any text, not only True and False. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record FreeCondition(
      @Required String type,
      @Required String status,
      @Nullable String reason,
      @Nullable String message,
      @Pattern(Limits.TIME) @Nullable String lastTransitionTime) {}

  /** When the maintenance entered a state. */
  public record Transition(
      @Nullable String maintenanceStatus,
      @Pattern(Limits.TIME) @Nullable String transitionTimestamp) {}

  /** One entry of the history. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Step(
      @JsonPropertyDescription("When it happened.") String at,
      @JsonPropertyDescription("The reason, from a fixed set, e.g. MaintenanceStarted.")
          String what,
      @JsonPropertyDescription("What happened, for people.") @Nullable String message) {}
}
