package dev.drydock.contracts.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The progress of the campaign and what it waits for. Its size does not grow with the cluster. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MaintenanceCampaignStatus(
    @JsonPropertyDescription("The generation of the spec that the status was computed from.")
        @Nullable Long observedGeneration,
    @Nullable CampaignPhase phase,
    @JsonPropertyDescription("When the first node was allowed to leave.")
        @Nullable String startedAt,
    @JsonPropertyDescription("Who approved it.") @Nullable String approvedBy,
    @JsonPropertyDescription("All nodes of the campaign by state.") @Nullable Counts counts,
    @JsonPropertyDescription("Where the nodes that are done are recorded.") @Nullable Ledger ledger,
    @JsonPropertyDescription("Nodes that are out of service or failed, and those that come next.")
        @Nullable List<NodeState> nodes,
    @JsonPropertyDescription("The estimated return of the last node; absent if unknown.")
        @Nullable String eta,
    @JsonPropertyDescription("What keeps the next node from leaving.")
        @Nullable List<Wait> waitingFor,
    @Nullable List<Condition> conditions) {

  /** Numbers of nodes by state. */
  public record Counts(int total, int waiting, int inFlight, int done, int failed) {}

  /** The record of the nodes that are done. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Ledger(
      @JsonPropertyDescription("The namespace of the operator that serves the campaign.")
          @Nullable String namespace,
      @JsonPropertyDescription("How many nodes have been recorded.") @Nullable Integer done) {}

  /** One node. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record NodeState(
      String name,
      @JsonPropertyDescription("InFlight, Failed or Next.") String state,
      @JsonPropertyDescription("Since when the node is out of service, or when it failed.")
          @Nullable String since,
      @JsonPropertyDescription("The estimated time to drain the node.") @Nullable String eta,
      @Nullable String message) {}

  /** One reason why no further node leaves. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Wait(
      @JsonPropertyDescription("The reason, from a fixed set, e.g. WindowClosed.") String reason,
      @JsonPropertyDescription("What has to happen, for people.") String message,
      @JsonPropertyDescription("When it will end, if known.") @Nullable String until) {}
}
