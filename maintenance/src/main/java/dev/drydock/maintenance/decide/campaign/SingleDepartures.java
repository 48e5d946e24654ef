package dev.drydock.maintenance.decide.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Decides which maintenances without a campaign may take their node out of service now: the oldest
 * first, as the budgets of their class and of the operator allow.
 *
 * @param granted to be written to the ledger before anything happens to a node
 * @param refused why the others wait
 */
public record SingleDepartures(List<Departure> granted, Map<String, String> refused) {
  private static final Comparator<Request> OLDEST_FIRST =
      Comparator.comparing(Request::created).thenComparing(Request::by);

  public SingleDepartures {
    granted = List.copyOf(granted);
    refused = Map.copyOf(refused);
  }

  /**
   * A maintenance whose node is to leave.
   *
   * @param by {@code namespace/name} of the NotifyMaintenance
   * @param uid its UID
   * @param budgets of its class
   */
  public record Request(
      String by, String uid, String node, Instant created, List<BudgetLevel> budgets) {}

  public static SingleDepartures decide(
      FleetNodes fleet, List<Request> requests, List<BudgetLevel> everyones, Instant now) {
    List<Departure> granted = new ArrayList<>();
    Map<String, String> refused = new LinkedHashMap<>();
    FleetNodes seen = fleet;
    for (Request request : requests.stream().sorted(OLDEST_FIRST).toList()) {
      FleetNode node = seen.nodes().get(request.node());
      Optional<DomainUse> full =
          node == null ? Optional.empty() : full(seen, node, request, everyones);
      if (node == null) {
        // Its name may be anything, and one that the ledger cannot hold would stop all others.
        refused.put(request.by(), "node " + request.node() + ", which does not exist");
      } else if (full.isPresent()) {
        refused.put(request.by(), "room in a budget: " + full.get().describe());
      } else {
        Departure departure = new Departure(request.node(), request.by(), request.uid(), now);
        granted.add(departure);
        seen = seen.with(List.of(departure));
      }
    }
    return new SingleDepartures(granted, refused);
  }

  private static Optional<DomainUse> full(
      FleetNodes fleet, FleetNode node, Request request, List<BudgetLevel> everyones) {
    List<BudgetLevel> levels = new ArrayList<>(request.budgets());
    levels.addAll(everyones);
    return new DomainBudgets(levels)
        .mayLeave(fleet, List.of(node), 1).refused().values().stream().findFirst();
  }
}
