package dev.drydock.maintenance.campaign;

import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.Departure;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The last decision, as maintenances ask for it.
 *
 * @param departures granted, by node
 * @param refused why maintenances wait, by namespace and name
 */
record DepartureAnswers(Map<String, Departure> departures, Map<String, String> refused) {
  static final DepartureAnswers UNDECIDED = new DepartureAnswers(Map.of(), Map.of());

  /** Shown as no reason: the decision follows at once. */
  private static final String NO_REASON = "";

  /** Why the node of a maintenance must not leave; empty if it may. */
  Optional<String> leave(
      NotifyMaintenanceObject maintenance, List<MaintenanceCampaignObject> campaigns) {
    Departure departure = departures.get(maintenance.facts().node());
    if (departure == null) {
      return Optional.of(
          refused.getOrDefault(maintenance.facts().identity().toString(), NO_REASON));
    }
    return MaintenanceCampaignObject.entry(departure, campaigns).isFor(maintenance.facts())
        ? Optional.empty()
        : Optional.of("its turn on node %s: %s".formatted(departure.node(), departure.describe()));
  }

  /** Nodes with a new entry, or with another reason to wait than before. */
  Set<String> changedSince(DepartureAnswers before, List<NotifyMaintenanceObject> maintenances) {
    Set<String> changed = new HashSet<>();
    departures.forEach(
        (node, departure) -> {
          if (!departure.equals(before.departures.get(node))) {
            changed.add(node);
          }
        });
    for (NotifyMaintenanceObject seen : maintenances) {
      String by = seen.facts().identity().toString();
      String why = refused.get(by);
      if (why != null && !why.equals(before.refused.get(by))) {
        changed.add(seen.facts().node());
      }
    }
    return changed;
  }
}
