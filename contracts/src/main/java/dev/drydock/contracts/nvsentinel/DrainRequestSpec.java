package dev.drydock.contracts.nvsentinel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The node and the reason. {@code drainer} and {@code policy} are optional extensions of Drydock.
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record DrainRequestSpec(
    @Required
        @JsonPropertyDescription("The node to drain.")
        @Size(min = 1, max = 253)
        @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
        String nodeName,
    @JsonPropertyDescription("The health check that requested the drain.")
        @Nullable String checkName,
    @JsonPropertyDescription("The recommended action after the drain.")
        @Nullable String recommendedAction,
    @JsonPropertyDescription("The health event behind the request.") @Nullable String healthEventID,
    @JsonPropertyDescription("The reason, for people.") @Nullable String reason,
    @JsonPropertyDescription("Error codes of the health event.") @Nullable List<String> errorCode,
    @JsonPropertyDescription("The components that the health event is about, e.g. a GPU.")
        @Nullable List<Entity> entitiesImpacted,
    @JsonPropertyDescription("Further data of the requester.")
        @Nullable Map<String, String> metadata,
    @JsonPropertyDescription("If not empty, only these pods are drained: names by namespace.")
        @Nullable Map<String, List<String>> podsToDrain,
    @JsonPropertyDescription(
            "The drainer for this request: \"builtin\" for Drydock's engine; absent: any drainer that claims it.")
        @Nullable String drainer,
    @JsonPropertyDescription("What the builtin drainer may do. Absent: the operator's default.")
        @Nullable Policy policy) {

  /**
   * A request without a health event.
   *
   * @param drainer null: any drainer that claims it
   */
  public static DrainRequestSpec of(
      String nodeName, @Nullable String reason, @Nullable String drainer, @Nullable Policy policy) {
    return new DrainRequestSpec(
        nodeName, null, null, null, reason, null, null, null, null, drainer, policy);
  }

  public DrainRequestSpec withMetadata(Map<String, String> metadata) {
    return new DrainRequestSpec(
        nodeName,
        checkName,
        recommendedAction,
        healthEventID,
        reason,
        errorCode,
        entitiesImpacted,
        metadata,
        podsToDrain,
        drainer,
        policy);
  }

  /** A component of the node that a health event is about. */
  public record Entity(@Nullable String type, @Nullable String value) {}

  /** The flags of {@code drydock drain}, with the same meaning. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Policy(
      @JsonPropertyDescription("Also drain pods that no controller recreates.")
          @Nullable Boolean force,
      @JsonPropertyDescription("Ignore pods of DaemonSets; they keep running.")
          @Nullable Boolean ignoreDaemonSets,
      @JsonPropertyDescription("Also drain pods with emptyDir volumes, whose data is lost.")
          @Nullable Boolean deleteEmptyDirData,
      @JsonPropertyDescription(
              "Delete pods instead of evicting them, which bypasses PodDisruptionBudgets.")
          @Nullable Boolean disableEviction,
      @JsonPropertyDescription("Wait until pods of Jobs finish.") @Nullable Boolean waitForJobs,
      @JsonPropertyDescription("Overrides the pods' grace period; a negative value keeps it.")
          @Min(-Limits.MOST_SECONDS)
          @Max(Limits.MOST_SECONDS)
          @Nullable Integer gracePeriodSeconds,
      @JsonPropertyDescription("Drain only pods that match this label selector.")
          @Nullable String podSelector,
      @JsonPropertyDescription("Do not wait for pods whose deletion is overdue by more than this.")
          @Min(0)
          @Max(Limits.MOST_SECONDS)
          @Nullable Integer skipWaitForDeleteSeconds,
      @JsonPropertyDescription("The time limit, counted from the start of the drain.")
          @Min(1)
          @Max(Limits.MOST_SECONDS)
          @Nullable Integer deadlineSeconds,
      @JsonPropertyDescription(
              "What happens at the time limit: give up, delete the remaining pods, or delete them without grace period.")
          @Nullable AtDeadline atDeadline,
      @JsonPropertyDescription(
              "After this time from the start of the drain, delete pods that cannot be evicted.")
          @Min(0)
          @Max(Limits.MOST_SECONDS)
          @Nullable Integer forceAfterSeconds,
      @JsonPropertyDescription(
              "Drain only pods with a container that requests this resource, e.g. hpe.com/cxi.")
          @Size(min = 1, max = 317)
          @Nullable String requestsResource) {

    /** No settings: the operator's default applies to everything. */
    public static final Policy DEFAULT =
        new Policy(null, null, null, null, null, null, null, null, null, null, null, null);
  }

  /** What happens at the time limit. */
  public enum AtDeadline {
    Fail,
    Delete,
    ForceDelete
  }
}
