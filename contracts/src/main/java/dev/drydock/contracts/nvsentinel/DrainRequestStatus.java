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
    @JsonPropertyDescription("What holds the drain up.") @Nullable List<Blocker> blockers) {

  /** One reason why the node is not empty yet. */
  public record Blocker(
      @JsonPropertyDescription("A word from a closed set, e.g. DisruptionBudget.") String reason,
      @JsonPropertyDescription("What is in the way, and what to do about it.") String message,
      @JsonPropertyDescription("The pods concerned, as namespace/name.")
          @Nullable List<String> pods) {}
}
