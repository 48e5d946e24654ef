package dev.drydock.maintenance.campaign;

import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.engine.DrainEstimates;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.kube.StepObjects;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.ClassDrainPolicy;
import dev.drydock.maintenance.decide.campaign.BudgetLevel;
import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.CampaignState;
import dev.drydock.maintenance.decide.campaign.CompletedDeparture;
import dev.drydock.maintenance.decide.campaign.Departure;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import dev.drydock.maintenance.decide.campaign.FleetNodes;
import dev.drydock.maintenance.decide.campaign.LedgerDecider;
import dev.drydock.maintenance.decide.campaign.LedgerEntry;
import dev.drydock.maintenance.decide.campaign.LedgerMaintenance;
import dev.drydock.maintenance.decide.campaign.NodeLoad;
import dev.drydock.maintenance.decide.campaign.NodeLoad.RunningPod;
import dev.drydock.maintenance.decide.campaign.NodeProgress;
import dev.drydock.maintenance.decide.campaign.RunHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All that was seen at one moment, made into what decisions are made on.
 *
 * @param pods absent if no campaign needs the time that a node takes to be empty
 * @param budgets the operator's own
 * @param andonCord why nothing may start, if the andon cord is pulled
 * @param unreadable campaigns by name, and maintenances by namespace and name, that are there but
 *     cannot be read or are not served here: what is known of them stays as it is
 */
public record CampaignSnapshot(
    List<MaintenanceCampaignObject> campaigns,
    List<NotifyMaintenanceObject> maintenances,
    List<FleetNode> nodes,
    Map<String, MaintenanceClassSpec> classes,
    DepartureLedger.LedgerContents ledger,
    Optional<DrainEstimates> pods,
    List<BudgetLevel> budgets,
    Optional<String> andonCord,
    Set<String> unreadable) {
  public CampaignFacts facts(Instant now) {
    return facts(campaigns.stream().map(this::state).toList(), now);
  }

  /** Without campaigns that fail here, which is for the loop to report. */
  CampaignFacts facts(Instant now, StepObjects turns) {
    List<CampaignState> states = new ArrayList<>();
    for (MaintenanceCampaignObject campaign : campaigns) {
      var _ = turns.run(campaign.name(), () -> states.add(state(campaign)));
    }
    return facts(states, now);
  }

  private CampaignFacts facts(List<CampaignState> states, Instant now) {
    return new CampaignFacts(
        FleetNodes.of(nodes, ledger.departures().values()),
        states,
        pods.map(known -> loads(known, now)).orElse(Map.of()),
        pods.map(known -> RunHistory.of(known.finished())).orElse(RunHistory.NONE),
        budgets,
        andonCord);
  }

  private CampaignState state(MaintenanceCampaignObject campaign) {
    return new CampaignState(
        campaign.name(),
        campaign.uid(),
        campaign.object().created(),
        campaign.spec(),
        Optional.ofNullable(classes.get(campaign.spec().maintenanceClass())),
        campaign.approvedBy(),
        progress(campaign),
        recordLost(campaign));
  }

  /** Why it is not known which nodes a campaign has done, if so. */
  Optional<String> recordLost(MaintenanceCampaignObject campaign) {
    return ledger.lost(campaign);
  }

  /** The progress of every node that the campaign has taken, by its maintenances and the ledger. */
  Map<String, NodeProgress> progress(MaintenanceCampaignObject campaign) {
    Map<String, NodeProgress> progress = new HashMap<>();
    for (NotifyMaintenanceObject seen : of(campaign)) {
      NodeProgressReader.of(seen, LedgerDecider.leftAt(seen.facts(), ledger.departures()))
          .ifPresent(made -> progress.put(seen.facts().node(), made));
    }
    ledger
        .doneBy(campaign)
        .forEach((node, done) -> progress.put(node, NodeProgress.done(done.from(), done.to())));
    return progress;
  }

  /** Nodes that are done and not in the ledger as such. */
  Map<String, CompletedDeparture> newlyDone(MaintenanceCampaignObject campaign, Instant now) {
    return LedgerDecider.newlyDone(
        of(campaign).stream().map(NotifyMaintenanceObject::facts).toList(),
        ledger.doneBy(campaign).keySet(),
        ledger.departures(),
        now);
  }

  /** The maintenances that the campaign made. */
  List<NotifyMaintenanceObject> of(MaintenanceCampaignObject campaign) {
    return maintenances.stream().filter(campaign::isOwnerOf).toList();
  }

  /** The campaign that made a maintenance, if one did that is still there. */
  Optional<MaintenanceCampaignObject> campaignOf(NotifyMaintenanceObject seen) {
    return campaigns.stream().filter(campaign -> campaign.isOwnerOf(seen)).findFirst();
  }

  /** Whether a maintenance is one more of a node that its campaign has done. */
  boolean isDone(NotifyMaintenanceObject seen) {
    return campaignOf(seen)
        .filter(campaign -> ledger.doneBy(campaign).containsKey(seen.facts().node()))
        .isPresent();
  }

  /** For which a node was let go, if it is still there. */
  Optional<MaintenanceCampaignObject> campaign(Departure departure) {
    return campaigns.stream().filter(each -> each.uid().equals(departure.uid())).findFirst();
  }

  Optional<MaintenanceCampaignObject> campaign(String name) {
    return campaigns.stream().filter(campaign -> campaign.name().equals(name)).findFirst();
  }

  /** Whether the maintenance for which a node was let go is there. */
  boolean hasMaintenance(Departure departure) {
    LedgerEntry entry = MaintenanceCampaignObject.entry(departure, campaigns);
    return maintenances.stream().anyMatch(seen -> entry.isFor(seen.facts()));
  }

  /**
   * All that decides about the ledger.
   *
   * @param known whether all campaigns are known
   */
  LedgerDecider ledgerDecider(boolean known) {
    return new LedgerDecider(
        known,
        ledger.departures().values().stream()
            .map(departure -> MaintenanceCampaignObject.entry(departure, campaigns))
            .toList(),
        ledger.departures().values().stream().filter(ledger::isDone).collect(Collectors.toSet()),
        maintenances.stream().map(this::ledgerMaintenance).toList(),
        classes,
        unreadable);
  }

  private LedgerMaintenance ledgerMaintenance(NotifyMaintenanceObject seen) {
    return new LedgerMaintenance(
        seen.facts(),
        seen.campaign(),
        seen.object().hasFinalizer(CampaignNames.FINALIZER),
        campaignOf(seen)
            .map(
                campaign ->
                    new LedgerMaintenance.Campaign(
                        campaign.spec().budgets(),
                        recordLost(campaign).isPresent(),
                        ledger.doneBy(campaign).containsKey(seen.facts().node()))));
  }

  /** How long a node takes as a rule: as those took that are done. */
  public Duration workTime(String campaign) {
    return CompletedDeparture.averageTime(
        campaign(campaign).map(each -> ledger.doneBy(each).values()).orElse(Set.of()));
  }

  CampaignSnapshot with(DepartureLedger.LedgerContents newer) {
    return new CampaignSnapshot(
        campaigns, maintenances, nodes, classes, newer, pods, budgets, andonCord, unreadable);
  }

  /**
   * How long the nodes of campaigns take to be empty, drained as the class of the first campaign
   * says that could take them.
   */
  private Map<String, NodeLoad> loads(DrainEstimates known, Instant now) {
    List<MaintenanceClassSpec> drains =
        campaigns.stream()
            .map(campaign -> classes.get(campaign.spec().maintenanceClass()))
            .filter(Objects::nonNull)
            .toList();
    if (drains.isEmpty()) {
      return Map.of();
    }
    DrainPolicy policy = policy(drains.getFirst());
    Map<String, NodeLoad> loads = new HashMap<>();
    for (FleetNode node : nodes) {
      DrainEstimates.Estimate estimate = known.estimate(node.name(), policy, now);
      loads.put(
          node.name(),
          new NodeLoad(
              Optional.of(estimate.eta()),
              estimate.waitedFor().stream().map(pod -> RunningPod.of(pod, now)).toList(),
              estimate.never()));
    }
    return loads;
  }

  /** Other drainers, such as Slurm's, are assumed to let jobs finish. */
  private static DrainPolicy policy(MaintenanceClassSpec maintenanceClass) {
    return ClassDrainPolicy.of(maintenanceClass.drain())
        .orElseGet(() -> DrainPolicy.everything().waitForJobs(true).build());
  }
}
