package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import dev.drydock.kube.EventRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells people how maintenances get on: by Events, and in the log. */
final class Teller {
  private static final Logger LOG = LoggerFactory.getLogger(Teller.class);

  private final EventRecorder events;

  Teller(EventRecorder events) {
    this.events = events;
  }

  void tell(MaintenanceSeen seen, MaintenanceEvent event, String note) {
    events.tell(seen.regarding(), event.occurrence(), note);
  }

  /** What a write told besides what it was for. */
  void tellDeeds(MaintenanceSeen before, MaintenanceSeen after) {
    for (Deed deed :
        Deeds.between(before.status().path("history"), after.status().path("history"))) {
      LOG.info("NotifyMaintenance {}: {}: {}", after, deed.what(), deed.message());
      tell(after, deed.what(), deed.message());
    }
  }

  void tellWait(MaintenanceSeen before, MaintenanceSeen after) {
    tellDeeds(before, after);
    String why = text(after.status(), "waitingFor");
    if (!why.isEmpty() && !why.equals(text(before.status(), "waitingFor"))) {
      LOG.info("NotifyMaintenance {}: waits for {}", after, why);
      tell(after, MaintenanceEvent.Waits, why);
    }
  }
}
