package dev.drydock.maintenance.campaign;

import dev.drydock.kube.StepObjects;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.Departure;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Creates, releases and deletes the maintenances of campaigns. */
final class CampaignMaintenances {
  private final DepartureLedger ledger;
  private final CampaignWriter writer;
  private final StepObjects turns;

  /**
   * What became of them.
   *
   * @param refused whether some could not be created
   * @param newer the ledger, if another process wrote to it meanwhile
   */
  record Outcome(boolean refused, Optional<DepartureLedger.LedgerContents> newer) {
    static final Outcome NOTHING = new Outcome(false, Optional.empty());
  }

  CampaignMaintenances(DepartureLedger ledger, CampaignWriter writer, StepObjects turns) {
    this.ledger = ledger;
    this.writer = writer;
    this.turns = turns;
  }

  /**
   * Acts by the ledger as it is now, because another process may have written to it.
   *
   * @param unrecorded campaigns whose nodes that are done could not be recorded
   */
  Outcome apply(CampaignSnapshot snapshot, Set<String> unrecorded) {
    MaintenanceChanges changes = MaintenanceChanges.of(snapshot, unrecorded);
    Outcome outcome = Outcome.NOTHING;
    if (changes.dependOnLedger()) {
      DepartureLedger.LedgerContents now = ledger.read();
      changes = changes.confirmedBy(now, snapshot.campaigns());
      outcome =
          new Outcome(
              create(snapshot, changes), changes.outdated() ? Optional.of(now) : Optional.empty());
      for (NotifyMaintenanceObject seen : changes.release()) {
        var _ = turns.run(seen.toString(), () -> writer.release(seen));
      }
    }
    for (NotifyMaintenanceObject seen : changes.delete()) {
      var _ = turns.run(seen.toString(), () -> writer.takeBack(seen));
    }
    return outcome;
  }

  private boolean create(CampaignSnapshot snapshot, MaintenanceChanges changes) {
    Set<String> refused = new HashSet<>();
    for (Departure departure : changes.create()) {
      snapshot
          .campaign(departure)
          .ifPresent(campaign -> create(campaign, departure.node(), refused));
    }
    return !refused.isEmpty();
  }

  private void create(MaintenanceCampaignObject campaign, String node, Set<String> refused) {
    var _ =
        turns.run(
            campaign.name(),
            () -> {
              if (!writer.create(campaign, node)) {
                refused.add(node);
              }
            });
  }
}
