package dev.drydock.maintenance.decide.campaign;

import java.time.Instant;

/**
 * An entry of the ledger: a node was allowed to leave. It counts against budgets from the moment it
 * is written, whether or not the cordon can be seen yet, until the maintenance is over; so no cache
 * that lags behind lets one node too many go. A node that is seen out as well counts once.
 *
 * @param by the campaign's name; or {@code namespace/name} of a NotifyMaintenance that is part of
 *     no campaign
 */
public record Departure(String node, String by, Instant grantedAt) {
  private static final String SLASH = "/";

  /** Whether it is that of a single maintenance, and of no campaign. */
  public boolean isSingle() {
    return by.contains(SLASH);
  }

  /** For people. */
  String leavesFor() {
    return (isSingle() ? "leaving for NotifyMaintenance " : "leaving for campaign ") + by;
  }
}
