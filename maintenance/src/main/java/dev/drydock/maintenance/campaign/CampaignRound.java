package dev.drydock.maintenance.campaign;

import dev.drydock.kube.StepObjects;
import dev.drydock.maintenance.decide.campaign.CampaignDecider;
import dev.drydock.maintenance.decide.campaign.CampaignDecision;
import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.CampaignState;
import dev.drydock.maintenance.decide.campaign.Departure;
import dev.drydock.maintenance.decide.campaign.FleetNodes;
import dev.drydock.maintenance.decide.campaign.LedgerDecider;
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
    LedgerDecider ledger = snapshot.ledgerDecider(known);
    SingleDepartures singles =
        SingleDepartures.decide(
            facts.fleet(),
            snapshot.andonCord().isPresent() ? List.of() : ledger.requests(),
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
    return new CampaignRound(snapshot, known, leave, ledger.over(), singles, decisions);
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

  /** This round after its departures were written to the ledger. */
  CampaignRound after(List<Departure> dropped, DepartureLedger.LedgerContents contents) {
    return new CampaignRound(snapshot.with(contents), known, leave, dropped, singles, decisions);
  }
}
