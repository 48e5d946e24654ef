package dev.drydock.contracts.nvsentinel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which node, and why. {@code drainer} and {@code policy} are additions of Drydock, and optional.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DrainRequestSpec(
    @Required @JsonPropertyDescription("The node to empty.") String nodeName,
    @JsonPropertyDescription("The health check that asked.") @Nullable String checkName,
    @JsonPropertyDescription("What should be done with the node afterwards.")
        @Nullable String recommendedAction,
    @JsonPropertyDescription("The health event behind the request.") @Nullable String healthEventID,
    @JsonPropertyDescription("Why, for people.") @Nullable String reason,
    @JsonPropertyDescription("Error codes of the health event.") @Nullable List<String> errorCode,
    @JsonPropertyDescription("What the health event is about, e.g. a GPU.")
        @Nullable List<Entity> entitiesImpacted,
    @JsonPropertyDescription("Anything else the requester wants to keep with it.")
        @Nullable Map<String, String> metadata,
    @JsonPropertyDescription("If not empty, only these pods have to go: names by namespace.")
        @Nullable Map<String, List<String>> podsToDrain,
    @JsonPropertyDescription(
            "Who serves this request: \"builtin\" for Drydock's engine; absent for whoever claims it.")
        @Nullable String drainer,
    @JsonPropertyDescription("What the builtin drainer may do; absent for the operator's default.")
        @Nullable Policy policy) {

  /** A part of the node that a health event is about. */
  public record Entity(@Nullable String type, @Nullable String value) {}

  /** The flags of {@code drydock drain}, with the same meaning. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Policy(
      @JsonPropertyDescription("Let pods go that no controller brings back.")
          @Nullable Boolean force,
      @JsonPropertyDescription("Leave pods of DaemonSets running.")
          @Nullable Boolean ignoreDaemonSets,
      @JsonPropertyDescription("Let pods go whose emptyDir data is lost with them.")
          @Nullable Boolean deleteEmptyDirData,
      @JsonPropertyDescription("Delete instead of evict: disruption budgets do not count.")
          @Nullable Boolean disableEviction,
      @JsonPropertyDescription("Let pods of Jobs finish.") @Nullable Boolean waitForJobs,
      @JsonPropertyDescription("Replaces the pods' own grace period; negative keeps it.")
          @Nullable Integer gracePeriodSeconds,
      @JsonPropertyDescription("Only pods that this label selector matches have to go.")
          @Nullable String podSelector,
      @JsonPropertyDescription(
              "Do not wait for pods that should have been gone for longer than this.")
          @Min(0)
          @Nullable Integer skipWaitForDeleteSeconds,
      @JsonPropertyDescription("When the time is up, counted from when the drain began.") @Min(1)
          @Nullable Integer deadlineSeconds,
      @JsonPropertyDescription(
              "What happens when the time is up: give up, delete what remains, or delete it without grace.")
          @Nullable AtDeadline atDeadline,
      @JsonPropertyDescription(
              "From this long after the drain began, delete pods that may not be evicted.")
          @Min(0)
          @Nullable Integer forceAfterSeconds) {

    /** Empty: all as the operator's default has it. */
    public static final Policy DEFAULT =
        new Policy(null, null, null, null, null, null, null, null, null, null, null);
  }

  /** What happens when the time is up. */
  public enum AtDeadline {
    Fail,
    Delete,
    ForceDelete
  }
}
