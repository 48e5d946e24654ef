package dev.drydock.maintenance.campaign;

import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.engine.DrainEstimates;
import dev.drydock.drain.engine.decide.DrainPolicy;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.request.decide.DrainRequestPolicy;
import dev.drydock.kube.StepObjects;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.BudgetLevel;
import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.CampaignState;
import dev.drydock.maintenance.decide.campaign.Departure;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import dev.drydock.maintenance.decide.campaign.FleetNodes;
import dev.drydock.maintenance.decide.campaign.NodeLoad;
import dev.drydock.maintenance.decide.campaign.NodeLoad.RunningPod;
import dev.drydock.maintenance.decide.campaign.NodeProgress;
import dev.drydock.maintenance.decide.campaign.RunHistory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * All that was seen at one moment, made into what decisions are made on.
 *
 * @param pods absent if no campaign needs the time that a node takes to be empty
 * @param budgets the operator's own
 * @param andonCord why nothing may start, if the andon cord is pulled
 * @param unreadable campaigns by name, and maintenances by namespace and name, that are there but
 *     cannot be read: what is known of them stays as it is
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
  /** Unknown while no node is done. */
  private static final Duration DEFAULT_WORK = Duration.ofMinutes(15);

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
        pods.map(CampaignSnapshot::history).orElse(RunHistory.NONE),
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
        progress(campaign));
  }

  /** Of every node that the campaign has taken, as far as its maintenances and the ledger tell. */
  Map<String, NodeProgress> progress(MaintenanceCampaignObject campaign) {
    Map<String, NodeProgress> progress = new HashMap<>();
    for (NotifyMaintenanceObject seen : of(campaign)) {
      boolean cancelled = seen.facts().deleted() && NodeProgressReader.isEnded(seen.facts());
      if (!cancelled || NodeProgressReader.isProved(seen.facts())) {
        progress.put(seen.facts().node(), NodeProgressReader.of(seen, leftAt(seen)));
      }
    }
    ledger
        .doneBy(campaign)
        .forEach((node, done) -> progress.put(node, NodeProgress.done(done.from(), done.to())));
    return progress;
  }

  /** Nodes that are done and not in the ledger as such. */
  Map<String, DepartureLedger.Done> newlyDone(MaintenanceCampaignObject campaign, Instant now) {
    Map<String, DepartureLedger.Done> known = ledger.doneBy(campaign);
    Map<String, DepartureLedger.Done> done = new LinkedHashMap<>();
    for (NotifyMaintenanceObject seen : of(campaign)) {
      String node = seen.facts().node();
      boolean isDone =
          NodeProgressReader.isEnded(seen.facts()) && NodeProgressReader.isProved(seen.facts());
      if (isDone && !known.containsKey(node)) {
        done.put(node, new DepartureLedger.Done(leftAt(seen), now));
      }
    }
    return done;
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

  /**
   * For which a node was let go; at most one, unless its campaign is gone and with it the namespace
   * of its maintenances.
   */
  List<NotifyMaintenanceObject> maintenancesOf(Departure departure) {
    return maintenances.stream().filter(seen -> isFor(departure, seen, campaigns)).toList();
  }

  /**
   * Whether it is this maintenance for which a node was let go. One of the same name in another
   * namespace is not.
   */
  static boolean isFor(
      Departure departure,
      NotifyMaintenanceObject seen,
      Collection<MaintenanceCampaignObject> campaigns) {
    if (!seen.facts().node().equals(departure.node())) {
      return false;
    }
    if (departure.isSingle()) {
      return seen.uid().equals(departure.uid());
    }
    return seen.object().name().equals(maintenanceName(departure))
        && campaigns.stream()
            .filter(campaign -> campaign.uid().equals(departure.uid()))
            .allMatch(campaign -> campaign.namespace().equals(seen.object().namespace()));
  }

  private static String maintenanceName(Departure departure) {
    return MaintenanceCampaignObject.maintenanceName(
        departure.by(), departure.uid(), departure.node());
  }

  /** Whether the campaign or the maintenance of a departure is there but cannot be read. */
  boolean isUnreadable(Departure departure) {
    if (departure.isSingle()) {
      return unreadable.contains(departure.by());
    }
    String end = "/" + maintenanceName(departure);
    return unreadable.contains(departure.by())
        || campaign(departure)
            .map(campaign -> unreadable.contains(campaign.namespace() + end))
            .orElseGet(() -> unreadable.stream().anyMatch(name -> name.endsWith(end)));
  }

  /** How long a node takes as a rule: as those took that are done. */
  public Duration workTime(String campaign) {
    return Duration.ofSeconds(
        (long)
            campaign(campaign).stream()
                .flatMap(each -> ledger.doneBy(each).values().stream())
                .mapToLong(done -> Duration.between(done.from(), done.to()).toSeconds())
                .average()
                .orElse((double) DEFAULT_WORK.toSeconds()));
  }

  CampaignSnapshot with(DepartureLedger.LedgerContents newer) {
    return new CampaignSnapshot(
        campaigns, maintenances, nodes, classes, newer, pods, budgets, andonCord, unreadable);
  }

  /** When its node was allowed to leave. */
  Instant leftAt(NotifyMaintenanceObject seen) {
    Departure departure = ledger.departures().get(seen.facts().node());
    return departure == null ? seen.facts().identity().created() : departure.grantedAt();
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
              estimate.waitedFor().stream().map(pod -> running(pod, now)).toList(),
              estimate.never()));
    }
    return loads;
  }

  /** Other drainers are assumed to let Jobs finish. */
  private static DrainPolicy policy(MaintenanceClassSpec maintenanceClass) {
    MaintenanceClassSpec.Drain drain = maintenanceClass.drain();
    if (drain.builtin() != null) {
      return DrainRequestPolicy.of(drain.builtin().policy());
    }
    if (drain.drainRequest() != null) {
      return DrainRequestPolicy.of(drain.drainRequest().policy());
    }
    return DrainPolicy.builder()
        .daemonSets(DrainPolicy.DaemonSets.IGNORE)
        .emptyDirDataMayGo(true)
        .force(true)
        .waitForJobs(true)
        .build();
  }

  private static RunningPod running(PodFacts pod, Instant now) {
    return new RunningPod(owner(pod), pod.started().orElse(now), pod.endsBy(), pod.announcedEnd());
  }

  private static RunHistory history(DrainEstimates known) {
    Map<String, List<Duration>> runs = new HashMap<>();
    for (PodFacts pod : known.finished()) {
      Instant end = pod.finishedAt().orElseThrow();
      pod.started()
          .filter(start -> start.isBefore(end))
          .ifPresent(
              start ->
                  runs.computeIfAbsent(owner(pod), _ -> new ArrayList<>())
                      .add(Duration.between(start, end)));
    }
    return new RunHistory(runs);
  }

  /** Jobs of a CronJob differ by a number at the end of their names. */
  private static String owner(PodFacts pod) {
    String name = pod.controller().map(Owner::name).orElse(pod.ref().name());
    return pod.ref().namespace() + "/" + name.replaceFirst("-\\d+$", "");
  }
}
