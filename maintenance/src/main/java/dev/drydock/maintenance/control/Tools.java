package dev.drydock.maintenance.control;

import dev.drydock.drain.kube.NodeHolds;
import dev.drydock.kube.Backoff;
import java.time.Clock;

/** What all lanes of a process use. */
record Tools(
    Clock clock,
    Maintenances.Settings settings,
    MaintenanceWriter writer,
    NodeWriter nodes,
    NodeHolds holds,
    Teller teller,
    Notices notices,
    Maintenances.Watcher watcher,
    ClassCluster classCluster,
    ClassClients clients) {
  Backoff backoff() {
    return Backoff.USUAL;
  }
}
