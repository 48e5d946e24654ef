package dev.drydock.maintenance.command.campaign;

import dev.drydock.cli.CommandFailure;
import dev.drydock.drain.engine.DrainEstimates;
import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.Kube;
import dev.drydock.kube.UnreadableObject;
import dev.drydock.kube.WakeUp;
import dev.drydock.maintenance.campaign.CampaignSnapshot;
import dev.drydock.maintenance.campaign.DepartureLedger;
import dev.drydock.maintenance.campaign.MaintenanceCampaignObject;
import dev.drydock.maintenance.control.MaintenanceClasses;
import dev.drydock.maintenance.control.MaintenanceNodeObject;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads once everything that campaigns decide by, without changing anything. */
final class CampaignFactsReader {
  private static final Duration TIMEOUT = Duration.ofSeconds(60);

  private final Kube cluster;
  private final DepartureLedger ledger;
  private final AndonCord cord;

  CampaignFactsReader(Kube cluster, DepartureLedger ledger, AndonCord cord) {
    this.cluster = cluster;
    this.ledger = ledger;
    this.cord = cord;
  }

  /** With these campaigns; the caller closes the pods. */
  CampaignSnapshot with(List<MaintenanceCampaignObject> campaigns, DrainEstimates pods) {
    List<NotifyMaintenanceObject> maintenances = new ArrayList<>();
    Set<String> unreadable = new HashSet<>();
    var _ =
        cluster
            .http()
            .list(
                NotifyMaintenanceObject.RESOURCE.all(),
                UnreadableObject.leftOut(
                    NotifyMaintenanceObject::read,
                    maintenances::add,
                    bad -> unreadable.add(bad.name())))
            .orThrow("list of NotifyMaintenances");
    List<FleetNode> nodes =
        cluster
            .http()
            .readAll(
                "list of nodes",
                MaintenanceNodeObject.ALL,
                object -> MaintenanceNodeObject.read(object).fleet());
    return new CampaignSnapshot(
        campaigns,
        maintenances,
        nodes,
        MaintenanceClasses.list(cluster.http()),
        ledger.read(),
        Optional.of(pods),
        List.of(),
        cord.read().map(AndonCord.Pull::toString),
        unreadable);
  }

  /** All pods, when they are listed. */
  DrainEstimates pods() throws InterruptedException {
    WakeUp wakeUp = new WakeUp();
    DrainEstimates pods = new DrainEstimates(cluster, wakeUp::ring);
    pods.start();
    long end = System.nanoTime() + TIMEOUT.toNanos();
    while (pods.unknown().isPresent()) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive()) {
        String why = pods.unknown().orElse("");
        pods.close();
        throw new CommandFailure("the pods of the cluster cannot be read: " + why);
      }
      wakeUp.await(left);
    }
    return pods;
  }
}
