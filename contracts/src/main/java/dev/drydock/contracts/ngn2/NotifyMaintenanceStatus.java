package dev.drydock.contracts.ngn2;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far the maintenance is. {@code history}, {@code waitingFor} and {@code lastLogLines} are
 * additions of Drydock.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record NotifyMaintenanceStatus(
    @JsonPropertyDescription("The state, one of MaintenanceState; empty until first seen.")
        @Nullable String maintenanceStatus,
    @JsonPropertyDescription("When what remains on the node may be removed by force.")
        @Nullable String slaExpires,
    @Nullable List<FreeCondition> conditions,
    @JsonPropertyDescription("Every change of maintenanceStatus.")
        @Nullable List<Transition> transitionTimestamps,
    @JsonPropertyDescription("The story of this maintenance, oldest first.")
        @Nullable List<Step> history,
    @JsonPropertyDescription("What has to happen next, and by whom.") @Nullable String waitingFor,
    @JsonPropertyDescription("The end of the log of the Job that failed last.")
        @Nullable List<String> lastLogLines) {

  /** A condition whose status is any word, not only True and False. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record FreeCondition(
      @Nullable String type,
      @Nullable String status,
      @Nullable String reason,
      @Nullable String message,
      @Nullable String lastTransitionTime) {}

  /** When a state was entered. */
  public record Transition(
      @Nullable String maintenanceStatus, @Nullable String transitionTimestamp) {}

  /** Something that happened. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Step(
      @JsonPropertyDescription("When it happened.") String at,
      @JsonPropertyDescription("A word from a closed set, e.g. MaintenanceStarted.") String what,
      @JsonPropertyDescription("What happened, for people.") @Nullable String message) {}
}
