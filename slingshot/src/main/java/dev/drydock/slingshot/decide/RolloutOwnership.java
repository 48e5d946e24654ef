package dev.drydock.slingshot.decide;

import java.util.Set;

/**
 * Which maintenances are those of a driver's roll-outs: those in the operator's own namespace that
 * one of its campaigns made, or the driver itself. A class is not enough, for whoever may create a
 * maintenance anywhere may name any class.
 *
 * @param namespace of the operator
 * @param driver the UID of the CXIDriver
 * @param campaigns UIDs of its campaigns, also of those that are gone
 */
public record RolloutOwnership(String namespace, String driver, Set<String> campaigns) {
  /**
   * Where a maintenance comes from.
   *
   * @param campaign the UID of the campaign that made it; empty if none did
   * @param drivers UIDs of CXIDrivers that own it
   */
  public record Origin(String namespace, String campaign, Set<String> drivers) {}

  public boolean includes(Origin origin) {
    return origin.namespace().equals(namespace)
        && (campaigns.contains(origin.campaign()) || origin.drivers().contains(driver));
  }
}
