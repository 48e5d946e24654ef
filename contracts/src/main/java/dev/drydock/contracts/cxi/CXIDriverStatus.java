package dev.drydock.contracts.cxi;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Condition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far the nodes are. {@code rollout} is an extension of Drydock. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record CXIDriverStatus(
    @JsonPropertyDescription("The generation of the spec that the status was computed from.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Nodes whose driver has the wanted version and is healthy.")
        @Nullable Integer ready,
    @JsonPropertyDescription("Nodes that are being updated.") @Nullable Integer updating,
    @JsonPropertyDescription("Nodes whose update or health check failed.") @Nullable Integer failed,
    @JsonPropertyDescription("The version that runs on all ready nodes.")
        @Nullable String driverVersion,
    @JsonPropertyDescription("The effective mode of the retry handler.")
        @Nullable String retryHandlerMode,
    @JsonPropertyDescription("Whether API servers can call the sidecar injection.")
        @Nullable Boolean webhookReady,
    @JsonPropertyDescription("The roll-out of the last revision.") @Nullable Rollout rollout,
    @Nullable List<Condition> conditions) {

  /** The roll-out of a revision: where to look, and how it ended. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Rollout(
      @JsonPropertyDescription("Identifies version and source.") @Nullable String revision,
      @JsonPropertyDescription("The MaintenanceCampaign and the MaintenanceClass of this name.")
          @Nullable String campaign,
      @JsonPropertyDescription("The version that it installs.") @Nullable String version,
      @JsonPropertyDescription("Running, Paused, Stopped, RolledBack, Halted or Completed.")
          @Nullable String phase,
      @JsonPropertyDescription("The node whose update was rolled back or failed first.")
          @Nullable String node,
      @JsonPropertyDescription("What went wrong, for people.") @Nullable String message) {}
}
