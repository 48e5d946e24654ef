package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import dev.drydock.kube.EventRecorder;
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
    events.record(seen.regarding(), event.occurrence(), note);
  }

  /** Logs the history entries that a write added, and records Events for them. */
  void recordEntries(NotifyMaintenanceObject before, NotifyMaintenanceObject after) {
    for (HistoryEntry entry :
        HistoryEntries.between(before.status().path("history"), after.status().path("history"))) {
      LOG.info("NotifyMaintenance {}: {}: {}", after, entry.what(), entry.message());
      record(after, entry.what(), entry.message());
    }
  }

  void recordWait(NotifyMaintenanceObject before, NotifyMaintenanceObject after) {
    recordEntries(before, after);
    String why = text(after.status(), "waitingFor");
    if (!why.isEmpty() && !why.equals(text(before.status(), "waitingFor"))) {
      LOG.info("NotifyMaintenance {}: waits for {}", after, why);
      record(after, MaintenanceEvent.Waits, why);
    }
  }
}
