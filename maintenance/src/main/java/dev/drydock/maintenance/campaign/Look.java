package dev.drydock.maintenance.campaign;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.maintenance.control.MaintenanceSeen;
import dev.drydock.maintenance.decide.campaign.BudgetLevel;
import dev.drydock.maintenance.decide.campaign.CampaignDecider;
import dev.drydock.maintenance.decide.campaign.CampaignDecision;
import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.Departure;
import dev.drydock.maintenance.decide.campaign.SingleDepartures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done, by all that was seen.
 *
 * @param known whether all campaigns are seen; if not, nothing is done about them
 * @param leave entries to be made
 * @param over entries whose maintenance has ended. One that is not there has to be asked for first
 */
record Look(
    Sight sight,
    boolean known,
    List<Departure> leave,
    List<Departure> over,
    SingleDepartures singles,
    List<CampaignDecision> decisions) {

  static Look of(Sight sight, boolean known, Instant now) {
    CampaignFacts facts = sight.facts(now);
    SingleDepartures singles =
        SingleDepartures.decide(
            facts.fleet(),
            sight.andonCord().isPresent() ? List.of() : requests(sight),
            sight.budgets(),
            now);
    List<Departure> leave = new ArrayList<>(singles.granted());
    List<CampaignDecision> decisions =
        CampaignDecider.decide(facts.with(facts.fleet().with(leave)), now);
    for (CampaignDecision decision : decisions) {
      decision.start().forEach(node -> leave.add(new Departure(node, decision.campaign(), now)));
    }
    List<Departure> over =
        sight.books().departures().values().stream()
            .filter(departure -> departure.isSingle() || known)
            .filter(departure -> isOver(sight, departure))
            .toList();
    return new Look(sight, known, leave, over, singles, decisions);
  }

  /** Maintenances with a class that are about to take their node and have no place yet. */
  private static List<SingleDepartures.Request> requests(Sight sight) {
    List<SingleDepartures.Request> requests = new ArrayList<>();
    for (MaintenanceSeen seen : sight.maintenances()) {
      MaintenanceClassSpec clazz =
          sight.classes().get(String.valueOf(seen.facts().spec().maintenanceClass()));
      boolean asks =
          seen.facts().state() == MaintenanceState.SCHEDULED
              && !seen.facts().deleted()
              && !sight.books().departures().containsKey(seen.facts().node());
      if (clazz != null && asks) {
        requests.add(
            new SingleDepartures.Request(
                seen.facts().identity().toString(),
                seen.facts().node(),
                seen.facts().identity().created(),
                budgets(sight, seen, clazz)));
      }
    }
    return requests;
  }

  /** One that a campaign made and that has lost its entry must still keep the campaign's. */
  private static List<BudgetLevel> budgets(
      Sight sight, MaintenanceSeen seen, MaintenanceClassSpec clazz) {
    List<BudgetLevel> budgets = new ArrayList<>(BudgetLevel.of(clazz.budgets()));
    seen.campaign()
        .flatMap(sight::campaign)
        .ifPresent(campaign -> budgets.addAll(BudgetLevel.of(campaign.spec().budgets())));
    return budgets;
  }

  /** The maintenance of a campaign that is still there will be made, if it is not there. */
  private static boolean isOver(Sight sight, Departure departure) {
    Optional<MaintenanceSeen> seen = sight.maintenanceOf(departure);
    return seen.map(there -> Progress.isEnded(there.facts()))
        .orElseGet(() -> departure.isSingle() || sight.campaign(departure.by()).isEmpty());
  }

  boolean changesLedger() {
    return !leave.isEmpty() || !over.isEmpty();
  }

  /** The same once it is written down. */
  Look after(List<Departure> dropped, Ledger.Books books) {
    return new Look(sight.with(books), known, leave, dropped, singles, decisions);
  }
}
