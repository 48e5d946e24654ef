package dev.drydock.maintenance.decide.campaign;

import java.time.Instant;

/**
 * An entry of the ledger: a node was allowed to leave. It counts against budgets from when it is
 * written, whether or not the cordon is visible yet, until the maintenance has ended; so a lagging
 * cache never lets one node too many leave. A node that is also observed as out counts once.
 *
 * @param by the campaign's name; or {@code namespace/name} of a NotifyMaintenance without a
 *     campaign
 * @param uid of that campaign or NotifyMaintenance, because another one may get the same name
 */
public record Departure(String node, String by, String uid, Instant grantedAt) {
  private static final String SLASH = "/";

  /** Whether it belongs to a maintenance without a campaign. */
  public boolean isSingle() {
    return by.contains(SLASH);
  }

  /** For people. */
  public String describe() {
    return "it is " + leavesFor();
  }

  String leavesFor() {
    return (isSingle() ? "leaving for NotifyMaintenance " : "leaving for campaign ") + by;
  }
}
