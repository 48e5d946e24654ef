package dev.drydock.contracts.nvsentinel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The progress of the drain. Everything but {@code conditions} is an extension of Drydock. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DrainRequestStatus(
    @Nullable List<Condition> conditions,
    @JsonPropertyDescription("Pods that have left the node.") @Nullable Integer podsGone,
    @JsonPropertyDescription("Pods that still have to leave, including terminating ones.")
        @Nullable Integer podsLeft,
    @JsonPropertyDescription("The estimated remaining time, as a range, e.g. 30s to 2m.")
        @Nullable String eta,
    @JsonPropertyDescription("The lower bound of the estimate, in seconds.")
        @Nullable Long etaAtLeastSeconds,
    @JsonPropertyDescription("The upper bound of the estimate, in seconds; absent if unknown.")
        @Nullable Long etaAtMostSeconds,
    @JsonPropertyDescription("What blocks the drain.") @Nullable List<Blocker> blockers,
    @JsonPropertyDescription("The pods of this drain, and what their scheduler said about each.")
        @Nullable List<DrainedPod> pods) {

  /** An empty status. */
  public static final DrainRequestStatus EMPTY =
      new DrainRequestStatus(null, null, null, null, null, null, null, null);

  /** One reason why the node is not empty yet. */
  public record Blocker(
      @JsonPropertyDescription("The reason, from a fixed set, e.g. DisruptionBudget.")
          String reason,
      @JsonPropertyDescription("What blocks the drain, for people.") String message,
      @JsonPropertyDescription("What to do about it.") @Nullable String next,
      @JsonPropertyDescription("The affected pods, as namespace/name.")
          @Nullable List<String> pods) {}

  /** A pod that was deleted because its scheduler had drained it. Times are in RFC 3339 format. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DrainedPod(
      @JsonPropertyDescription("The pod's namespace.") String namespace,
      @JsonPropertyDescription("The pod's name.") String name,
      @JsonPropertyDescription("The pod's UID.") String uid,
      @JsonPropertyDescription(
              "The condition by which it may be deleted, e.g. SlurmNodeStateDrain=True.")
          @Nullable String condition,
      @JsonPropertyDescription("The reason of that condition.") @Nullable String reason,
      @JsonPropertyDescription("When the condition was seen.") @Nullable String seenAt,
      @JsonPropertyDescription("When its deletion was seen or requested.")
          @Nullable String deletedAt,
      @JsonPropertyDescription("When the pod no longer existed.") @Nullable String goneAt) {}
}
