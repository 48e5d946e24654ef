package dev.drydock.maintenance.command.campaign;

import dev.drydock.cli.CommandFailure;
import dev.drydock.drain.kube.AndonCord;
import dev.drydock.drain.kube.FleetPods;
import dev.drydock.kube.Bell;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Reflector;
import dev.drydock.maintenance.campaign.CampaignSeen;
import dev.drydock.maintenance.campaign.Ledger;
import dev.drydock.maintenance.campaign.Sight;
import dev.drydock.maintenance.control.Classes;
import dev.drydock.maintenance.control.MaintenanceSeen;
import dev.drydock.maintenance.control.NodeSeen;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Looks once at everything that campaigns decide by, touching nothing. */
final class Facts {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final KubeHttp http;
  private final Ledger ledger;
  private final AndonCord cord;

  Facts(KubeHttp http, Ledger ledger, AndonCord cord) {
    this.http = http;
    this.ledger = ledger;
    this.cord = cord;
  }

  /** With these campaigns; the pods have to be closed. */
  Sight with(List<CampaignSeen> campaigns, FleetPods pods) {
    List<MaintenanceSeen> maintenances = new ArrayList<>();
    List<FleetNode> nodes = new ArrayList<>();
    var _ =
        http.list(
                new Reflector.Source(MaintenanceSeen.allPath(), ""),
                object -> maintenances.add(MaintenanceSeen.read(object)))
            .orThrow("list of NotifyMaintenances");
    var _ =
        http.list(NodeSeen.ALL, object -> nodes.add(NodeSeen.read(object).fleet()))
            .orThrow("list of nodes");
    return new Sight(
        campaigns,
        maintenances,
        nodes,
        Classes.list(http),
        ledger.read(),
        Optional.of(pods),
        List.of(),
        cord.read().map(AndonCord.Pull::toString));
  }

  /** All pods, once they are known. */
  FleetPods pods() throws InterruptedException {
    Bell bell = new Bell();
    FleetPods pods = new FleetPods(http, bell::ring);
    pods.start();
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (pods.unknown().isPresent()) {
      Duration left = Duration.ofNanos(end - System.nanoTime());
      if (!left.isPositive()) {
        String why = pods.unknown().orElse("");
        pods.close();
        throw new CommandFailure("the pods of the cluster cannot be read: " + why);
      }
      bell.await(left);
    }
    return pods;
  }
}
