package dev.drydock.maintenance.campaign;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.kube.StepObjects;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.BudgetLevel;
import dev.drydock.maintenance.decide.campaign.CampaignDecider;
import dev.drydock.maintenance.decide.campaign.CampaignDecision;
import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.CampaignState;
import dev.drydock.maintenance.decide.campaign.Departure;
import dev.drydock.maintenance.decide.campaign.FleetNodes;
import dev.drydock.maintenance.decide.campaign.SingleDepartures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * One round of decisions on a snapshot.
 *
 * @param known whether all campaigns are known; if not, nothing is done for them
 * @param leave entries to be added to the ledger
 * @param over entries whose maintenance has ended or is missing; a missing one has to be read first
 */
record CampaignRound(
    CampaignSnapshot snapshot,
    boolean known,
    List<Departure> leave,
    List<Departure> over,
    SingleDepartures singles,
    List<CampaignDecision> decisions) {

  /**
   * @param turns in which each campaign is read and decided about
   */
  static CampaignRound of(
      CampaignSnapshot snapshot, boolean known, Instant now, StepObjects turns) {
    CampaignFacts facts = snapshot.facts(now, turns);
    SingleDepartures singles =
        SingleDepartures.decide(
            facts.fleet(),
            snapshot.andonCord().isPresent() ? List.of() : requests(snapshot, known),
            snapshot.budgets(),
            now);
    List<Departure> leave = new ArrayList<>(singles.granted());
    List<CampaignDecision> decisions = new ArrayList<>();
    for (CampaignState campaign : CampaignDecider.turns(facts)) {
      var _ =
          turns.run(
              campaign.name(),
              () -> {
                FleetNodes fleet = facts.fleet().with(leave);
                CampaignDecision decision =
                    CampaignDecider.decide(facts.with(fleet), campaign, now);
                decisions.add(decision);
                leave.addAll(decision.departures(now));
              });
    }
    List<Departure> over =
        snapshot.ledger().departures().values().stream()
            .filter(departure -> departure.isSingle() || known)
            .filter(departure -> !snapshot.isUnreadable(departure))
            .filter(departure -> isOver(snapshot, departure))
            .toList();
    return new CampaignRound(snapshot, known, leave, over, singles, decisions);
  }

  /** Maintenances with a class that are about to take their node and have no place yet. */
  private static List<SingleDepartures.Request> requests(CampaignSnapshot snapshot, boolean known) {
    List<SingleDepartures.Request> requests = new ArrayList<>();
    for (NotifyMaintenanceObject seen : snapshot.maintenances()) {
      MaintenanceClassSpec maintenanceClass =
          snapshot.classes().get(String.valueOf(seen.facts().spec().maintenanceClass()));
      boolean asks =
          seen.facts().state() == MaintenanceState.SCHEDULED
              && !seen.facts().deleted()
              && (known || !isMadeByCampaign(seen))
              && !snapshot.isDone(seen)
              && !snapshot.ledger().departures().containsKey(seen.facts().node());
      if (maintenanceClass != null && asks) {
        requests.add(
            new SingleDepartures.Request(
                seen.facts().identity().toString(),
                seen.uid(),
                seen.facts().node(),
                seen.facts().identity().created(),
                budgets(snapshot, seen, maintenanceClass)));
      }
    }
    return requests;
  }

  /** While campaigns are not known, nobody can say whether its node is done. */
  private static boolean isMadeByCampaign(NotifyMaintenanceObject seen) {
    return seen.campaign().isPresent() || seen.object().hasFinalizer(CampaignNames.FINALIZER);
  }

  /** One that a campaign made and that has lost its entry must still keep the campaign's. */
  private static List<BudgetLevel> budgets(
      CampaignSnapshot snapshot,
      NotifyMaintenanceObject seen,
      MaintenanceClassSpec maintenanceClass) {
    List<BudgetLevel> budgets = new ArrayList<>(BudgetLevel.of(maintenanceClass.budgets()));
    snapshot
        .campaignOf(seen)
        .ifPresent(
            campaign -> {
              budgets.addAll(BudgetLevel.of(campaign.spec().budgets()));
              if (budgets.isEmpty()) {
                budgets.add(BudgetLevel.DEFAULT);
              }
            });
    return budgets;
  }

  /**
   * The maintenance of a campaign that is still there will be made if it is not there, unless the
   * ledger says that the node is done.
   */
  private static boolean isOver(CampaignSnapshot snapshot, Departure departure) {
    List<NotifyMaintenanceObject> seen = snapshot.maintenancesOf(departure);
    return seen.isEmpty()
        ? departure.isSingle()
            || snapshot.campaign(departure).isEmpty()
            || snapshot.ledger().isDone(departure)
        : seen.stream().allMatch(there -> NodeProgressReader.isEnded(there.facts()));
  }

  boolean changesLedger() {
    return !leave.isEmpty() || !over.isEmpty();
  }

  /**
   * Entries that may go.
   *
   * @param unrecorded campaigns whose nodes that are done could not be recorded
   */
  List<Departure> over(Set<String> unrecorded) {
    return over.stream()
        .filter(departure -> departure.isSingle() || !unrecorded.contains(departure.by()))
        .toList();
  }

  /**
   * When to decide again if nothing happens.
   *
   * @param forecastDue when a forecast that was put off is due
   */
  Instant nextDecision(Optional<Instant> forecastDue, Instant now) {
    return Stream.concat(
            forecastDue.stream(), decisions.stream().flatMap(each -> each.wakeAt().stream()))
        .filter(at -> at.isAfter(now))
        .min(Instant::compareTo)
        .orElse(Instant.MAX);
  }

  /** The same once it is written down. */
  CampaignRound after(List<Departure> dropped, DepartureLedger.LedgerContents contents) {
    return new CampaignRound(snapshot.with(contents), known, leave, dropped, singles, decisions);
  }
}
