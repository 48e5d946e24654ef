package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus.Counts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The decision of one campaign. Each node in {@code start} has to be written to the ledger, guarded
 * by its resourceVersion, before anything happens to it.
 *
 * @param start nodes that leave now
 * @param next those that would come next, in this order
 * @param waits why no further node leaves
 * @param wakeAt when to decide again, even if nothing changes; absent if only a change can help
 */
public record CampaignDecision(
    String campaign,
    String uid,
    CampaignPhase phase,
    List<String> start,
    List<Upcoming> next,
    List<DepartureWait> waits,
    Counts counts,
    Optional<Instant> wakeAt) {
  public CampaignDecision {
    start = List.copyOf(start);
    next = List.copyOf(next);
    waits = List.copyOf(waits);
  }

  /** The departures to be written to the ledger. */
  public List<Departure> departures(Instant now) {
    return start.stream().map(node -> new Departure(node, campaign, uid, now)).toList();
  }

  /** Whether nodes leave or will leave without a person, so that an end can be forecast. */
  public boolean isMoving() {
    return switch (phase) {
      case Running, Waiting -> true;
      case Invalid, AwaitingApproval, Paused, Halted, Stopped, Completed, Incomplete -> false;
    };
  }

  /** A node and how long it would take to empty it. */
  public record Upcoming(String node, Duration leavesIn) {}
}
