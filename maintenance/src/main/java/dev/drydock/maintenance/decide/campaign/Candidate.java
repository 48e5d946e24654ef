package dev.drydock.maintenance.decide.campaign;

import java.time.Duration;
import java.time.Instant;

/**
 * A node that a campaign may take next.
 *
 * @param leavesIn how long until it could be empty, if it were cordoned now
 * @param waitingSince when it became part of the campaign
 */
public record Candidate(FleetNode node, Duration leavesIn, Instant waitingSince) {}
