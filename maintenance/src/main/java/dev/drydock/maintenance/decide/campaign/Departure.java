package dev.drydock.maintenance.decide.campaign;

import java.time.Instant;

/**
 * An entry of the ledger: a node was allowed to leave. It counts against budgets from the moment it
 * is written, whether or not the cordon can be seen yet, until the maintenance is over; so no cache
 * that lags behind lets one node too many go. A node that is seen out as well counts once.
 */
public record Departure(String node, String campaign, Instant grantedAt) {}
