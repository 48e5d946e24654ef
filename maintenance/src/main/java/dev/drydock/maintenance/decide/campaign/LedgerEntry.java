package dev.drydock.maintenance.decide.campaign;

import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.util.Optional;
import java.util.Set;

/**
 * A departure, and how to recognise the maintenance that it is for.
 *
 * @param maintenanceName the name that its campaign gives to the maintenance of the node; without
 *     meaning for a departure without a campaign
 * @param namespace where the campaign's maintenances are; absent if there is no campaign, or it is
 *     gone
 */
public record LedgerEntry(Departure departure, String maintenanceName, Optional<String> namespace) {

  /**
   * Whether the node was allowed to leave for this maintenance. One of the same name in another
   * namespace is another one, unless the campaign is gone and nobody knows its namespace.
   */
  public boolean isFor(MaintenanceFacts maintenance) {
    MaintenanceFacts.Identity identity = maintenance.identity();
    if (!maintenance.node().equals(departure.node())) {
      return false;
    }
    return departure.isSingle()
        ? identity.uid().equals(departure.uid())
        : identity.name().equals(maintenanceName)
            && namespace.filter(where -> !where.equals(identity.namespace())).isEmpty();
  }

  /**
   * Whether its campaign or its maintenance is there but cannot be read.
   *
   * @param unreadable campaigns by name, maintenances by namespace and name
   */
  boolean isUnreadable(Set<String> unreadable) {
    if (unreadable.contains(departure.by())) {
      return true;
    }
    String end = "/" + maintenanceName;
    return !departure.isSingle()
        && namespace
            .map(where -> unreadable.contains(where + end))
            .orElseGet(() -> unreadable.stream().anyMatch(name -> name.endsWith(end)));
  }
}
