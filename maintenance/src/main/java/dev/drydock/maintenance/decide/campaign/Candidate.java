package dev.drydock.maintenance.decide.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A node that a campaign may take next.
 *
 * @param leavesIn how long until it could be empty, if it were cordoned now
 * @param waitingSince when it became part of the campaign
 * @param never why it can never be empty as it is now, if so
 */
public record Candidate(
    FleetNode node, Duration leavesIn, Instant waitingSince, Optional<String> never) {
  public Candidate(FleetNode node, Duration leavesIn, Instant waitingSince) {
    this(node, leavesIn, waitingSince, Optional.empty());
  }
}
