package dev.drydock.contracts.nvsentinel;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far the drain is. Everything but {@code conditions} is an addition of Drydock. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DrainRequestStatus(
    @Nullable List<Condition> conditions,
    @JsonPropertyDescription("Pods that had to go and are gone.") @Nullable Integer podsGone,
    @JsonPropertyDescription("Pods that still have to go, stopping ones included.")
        @Nullable Integer podsLeft,
    @JsonPropertyDescription("How long it will take, as a range, e.g. 30s to 2m.")
        @Nullable String eta,
    @JsonPropertyDescription("How long it will take at least, in seconds.")
        @Nullable Long etaAtLeastSeconds,
    @JsonPropertyDescription("How long it will take at most; absent when nobody can know.")
        @Nullable Long etaAtMostSeconds,
    @JsonPropertyDescription("What holds the drain up.") @Nullable List<Blocker> blockers) {

  /** Before anything was said. */
  public static final DrainRequestStatus EMPTY =
      new DrainRequestStatus(null, null, null, null, null, null, null);

  /** One reason why the node is not empty yet. */
  public record Blocker(
      @JsonPropertyDescription("A word from a closed set, e.g. DisruptionBudget.") String reason,
      @JsonPropertyDescription("What is in the way.") String message,
      @JsonPropertyDescription("What to do about it.") @Nullable String next,
      @JsonPropertyDescription("The pods concerned, as namespace/name.")
          @Nullable List<String> pods) {}
}
