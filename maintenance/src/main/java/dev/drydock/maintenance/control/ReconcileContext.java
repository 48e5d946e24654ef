package dev.drydock.maintenance.control;

import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.kube.Backoff;
import java.time.Clock;

/** What all reconcilers of a process use. */
record ReconcileContext(
    Clock clock,
    MaintenanceController.Settings settings,
    MaintenanceWriter writer,
    NodeWriter nodes,
    NodeHolds holds,
    MaintenanceEvents events,
    NoticeSink notices,
    MaintenanceController.Watcher watcher,
    ClassCaches classCaches,
    ClassAutomation clients) {
  Backoff backoff() {
    return Backoff.USUAL;
  }
}
