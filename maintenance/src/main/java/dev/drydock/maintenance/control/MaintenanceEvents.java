package dev.drydock.maintenance.control;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.EventRecorder.Occurrence;
import dev.drydock.maintenance.decide.MaintenanceEvent;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Records Events about maintenances, and logs them. */
final class MaintenanceEvents {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceEvents.class);

  private final EventRecorder events;

  MaintenanceEvents(EventRecorder events) {
    this.events = events;
  }

  void record(NotifyMaintenanceObject seen, MaintenanceEvent event, String note) {
    Occurrence what =
        new Occurrence(
            event.isWarning(),
            event.name(),
            "Maintain",
            Map.of(MaintenanceNames.EVENT_ID, seen.facts().spec().maintenanceID()));
    events.record(seen.regarding(), what, note);
  }

  /** Logs the history entries that a write added, and records Events for them. */
  void recordEntries(NotifyMaintenanceObject before, NotifyMaintenanceObject after) {
    for (HistoryEntry entry : HistoryEntries.between(before.history(), after.history())) {
      LOG.info("NotifyMaintenance {}: {}: {}", after, entry.what(), entry.message());
      record(after, entry.what(), entry.message());
    }
  }

  void recordWait(NotifyMaintenanceObject before, NotifyMaintenanceObject after) {
    recordEntries(before, after);
    String why = after.waitingFor();
    if (!why.isEmpty() && !why.equals(before.waitingFor())) {
      LOG.info("NotifyMaintenance {}: waits for {}", after, why);
      record(after, MaintenanceEvent.Waits, why);
    }
  }
}
