package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides which entries of the ledger are over, and which maintenances ask for one.
 *
 * @param known whether all campaigns are known; if not, what campaigns made stays as it is
 * @param done entries whose node their campaign has done
 * @param classes by name
 * @param unreadable campaigns by name, and maintenances by namespace and name, that are there but
 *     cannot be read or are not served here: what is known of them stays as it is
 */
public record LedgerDecider(
    boolean known,
    List<LedgerEntry> entries,
    Set<Departure> done,
    List<LedgerMaintenance> maintenances,
    Map<String, MaintenanceClassSpec> classes,
    Set<String> unreadable) {

  /** Entries whose maintenance has ended or is missing. */
  public List<Departure> over() {
    return entries.stream()
        .filter(entry -> entry.departure().isSingle() || known)
        .filter(entry -> !entry.isUnreadable(unreadable))
        .filter(this::isOver)
        .map(LedgerEntry::departure)
        .toList();
  }

  /**
   * The maintenance of a campaign that is still there will be made if it is not there, unless the
   * ledger says that the node is done.
   */
  private boolean isOver(LedgerEntry entry) {
    List<MaintenanceFacts> seen =
        maintenances.stream().map(LedgerMaintenance::facts).filter(entry::isFor).toList();
    return seen.isEmpty()
        ? entry.namespace().isEmpty() || done.contains(entry.departure())
        : seen.stream().allMatch(MaintenanceFacts::isEnded);
  }

  /** Maintenances with a class that are about to take their node and have no place yet. */
  public List<SingleDepartures.Request> requests() {
    Set<String> leaving =
        entries.stream().map(entry -> entry.departure().node()).collect(Collectors.toSet());
    List<SingleDepartures.Request> requests = new ArrayList<>();
    for (LedgerMaintenance seen : maintenances) {
      MaintenanceFacts facts = seen.facts();
      if (asks(seen) && !leaving.contains(facts.node())) {
        maintenanceClass(facts)
            .map(
                known ->
                    new SingleDepartures.Request(
                        facts.identity().toString(),
                        facts.identity().uid(),
                        facts.node(),
                        facts.identity().created(),
                        budgets(seen, known)))
            .ifPresent(requests::add);
      }
    }
    return requests;
  }

  private Optional<MaintenanceClassSpec> maintenanceClass(MaintenanceFacts facts) {
    return Optional.ofNullable(facts.spec().maintenanceClass()).map(classes::get);
  }

  /** Without its campaign, nobody can say whether a node is done that a campaign had taken. */
  private boolean asks(LedgerMaintenance seen) {
    boolean readable = seen.label().filter(unreadable::contains).isEmpty();
    boolean notDone =
        seen.campaign().filter(each -> each.done() || each.recordLost()).isEmpty() && readable;
    return seen.facts().state() == MaintenanceState.SCHEDULED
        && !seen.facts().deleted()
        && (known || !seen.seemsMadeByCampaign())
        && notDone;
  }

  /** One that a campaign made and that has lost its entry must still keep the campaign's. */
  private static List<BudgetLevel> budgets(
      LedgerMaintenance seen, MaintenanceClassSpec maintenanceClass) {
    List<BudgetLevel> budgets = new ArrayList<>(BudgetLevel.of(maintenanceClass.budgets()));
    seen.campaign()
        .ifPresent(
            campaign -> {
              budgets.addAll(BudgetLevel.of(campaign.budgets()));
              if (budgets.isEmpty()) {
                budgets.add(BudgetLevel.DEFAULT);
              }
            });
    return budgets;
  }

  /**
   * Nodes that are done and not recorded as such.
   *
   * @param maintenances that one campaign made
   * @param recorded nodes that are recorded as done by the campaign
   * @param departures by node
   */
  public static Map<String, CompletedDeparture> newlyDone(
      Collection<MaintenanceFacts> maintenances,
      Set<String> recorded,
      Map<String, Departure> departures,
      Instant now) {
    Map<String, CompletedDeparture> done = new LinkedHashMap<>();
    for (MaintenanceFacts seen : maintenances) {
      if (seen.isEnded() && seen.isProved() && !recorded.contains(seen.node())) {
        done.put(seen.node(), new CompletedDeparture(leftAt(seen, departures), now));
      }
    }
    return done;
  }

  /** When the node of a maintenance was allowed to leave. */
  public static Instant leftAt(MaintenanceFacts seen, Map<String, Departure> departures) {
    Departure departure = departures.get(seen.node());
    return departure == null ? seen.identity().created() : departure.grantedAt();
  }
}
