package dev.drydock.maintenance.campaign;

import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.Departure;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Which maintenances of campaigns have to be created, released or deleted.
 *
 * @param create departures whose maintenance does not exist
 * @param release maintenances that have ended and still have the campaign's finalizer
 * @param delete maintenances of nodes that are done, which a slower process created once more
 * @param outdated whether the ledger has entries, or lacks some, that the decision did not know
 */
record MaintenanceChanges(
    List<Departure> create,
    List<NotifyMaintenanceObject> release,
    List<NotifyMaintenanceObject> delete,
    boolean outdated) {

  /**
   * @param unrecorded campaigns whose nodes that are done could not be recorded; their maintenances
   *     are still needed as evidence
   */
  static MaintenanceChanges of(CampaignSnapshot snapshot, Set<String> unrecorded) {
    return new MaintenanceChanges(
        snapshot.ledger().departures().values().stream()
            .filter(departure -> !departure.isSingle())
            .filter(departure -> !snapshot.hasMaintenance(departure))
            .toList(),
        snapshot.maintenances().stream()
            .filter(seen -> seen.object().hasFinalizer(CampaignNames.FINALIZER))
            .filter(seen -> seen.facts().isEnded())
            .filter(seen -> isRecorded(snapshot.campaignOf(seen), unrecorded))
            .toList(),
        snapshot.maintenances().stream()
            .filter(seen -> !seen.facts().state().hasBegun() && !seen.facts().deleted())
            .filter(snapshot::isDone)
            .toList(),
        false);
  }

  private static boolean isRecorded(
      Optional<MaintenanceCampaignObject> campaign, Set<String> unrecorded) {
    return campaign.filter(each -> unrecorded.contains(each.name())).isEmpty();
  }

  /** Whether the ledger has to be read again before they are carried out. */
  boolean dependOnLedger() {
    return !create.isEmpty() || !release.isEmpty();
  }

  /**
   * Those that the ledger still allows. An entry is removed before its maintenance. So if an entry
   * is still there after its maintenance was not found, the maintenance was not created yet; if
   * another process has created and ended it meanwhile, the node is done.
   *
   * @param now the ledger as it was read after the maintenances
   */
  MaintenanceChanges confirmedBy(
      DepartureLedger.LedgerContents now, List<MaintenanceCampaignObject> campaigns) {
    List<Departure> due =
        create.stream()
            .filter(departure -> now.hasEntry(departure) && !now.isDone(departure))
            .toList();
    List<NotifyMaintenanceObject> free =
        release.stream()
            .filter(
                seen ->
                    now.entryOf(seen.facts().node())
                        .filter(
                            entry ->
                                MaintenanceCampaignObject.entry(entry, campaigns)
                                    .isFor(seen.facts()))
                        .isEmpty())
            .toList();
    boolean stale = due.size() < create.size() || free.size() < release.size();
    return new MaintenanceChanges(due, free, delete, stale);
  }
}
