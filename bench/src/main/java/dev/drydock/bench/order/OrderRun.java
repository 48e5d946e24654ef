package dev.drydock.bench.order;

import dev.drydock.bench.order.JobStream.Job;
import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec.NodeSelector;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.maintenance.decide.campaign.CampaignDecider;
import dev.drydock.maintenance.decide.campaign.CampaignDecision;
import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.CampaignState;
import dev.drydock.maintenance.decide.campaign.Departure;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import dev.drydock.maintenance.decide.campaign.FleetNodes;
import dev.drydock.maintenance.decide.campaign.NodeLoad;
import dev.drydock.maintenance.decide.campaign.NodeLoad.RunningPod;
import dev.drydock.maintenance.decide.campaign.NodeProgress;
import dev.drydock.maintenance.decide.campaign.RunHistory;
import dev.drydock.maintenance.decide.campaign.WaitReason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

/** One campaign over one fleet, from its first node to its last. */
public final class OrderRun {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /** Long enough for the longest jobs to reach their steady share. */
  private static final Duration BEFORE = Duration.ofDays(30);

  private static final int REMEMBERED_RUNS = 50;
  private static final String CAMPAIGN = "bench";

  private final OrderScenario scenario;
  private final CampaignState campaign;
  private final List<FleetNode> nodes = new ArrayList<>();
  private final Map<String, List<JobStream>> slots = new HashMap<>();
  private final RunHistory history;
  private final Map<String, NodeProgress> progress = new HashMap<>();

  /** For every node that is out of service, when it returns. */
  private final Map<String, Instant> backAt = new HashMap<>();

  /**
   * The result.
   *
   * @param out the total time out of service of all nodes
   * @param took from the first cordon until the last node has returned
   */
  public record Outcome(Duration out, Duration took) {}

  private OrderRun(OrderScenario scenario, JobMix mix, CampaignOrder order, long seed) {
    this.scenario = scenario;
    this.campaign = campaign(scenario, order);
    Random seeds = new Random(seed);
    for (int i = 1; i <= scenario.nodes(); i++) {
      FleetNode node = FleetNode.inService("node-" + i, Map.of(), START.minus(BEFORE));
      nodes.add(node);
      List<JobStream> streams = new ArrayList<>();
      for (int slot = 0; slot < scenario.slots(); slot++) {
        streams.add(
            new JobStream(seeds.nextLong(), mix, scenario.knowledge(), START.minus(BEFORE)));
      }
      slots.put(node.name(), streams);
    }
    this.history = history();
  }

  private static CampaignState campaign(OrderScenario scenario, CampaignOrder order) {
    MaintenanceClassSpec.Outside outside = new MaintenanceClassSpec.Outside();
    MaintenanceClassSpec maintenanceClass =
        new MaintenanceClassSpec(
            new MaintenanceClassSpec.Drain(null, null, null, null, outside),
            new MaintenanceClassSpec.Work(null, outside),
            new MaintenanceClassSpec.Validation(null, null, null, null, outside),
            null,
            null,
            null);
    MaintenanceCampaignSpec spec =
        new MaintenanceCampaignSpec(
            new NodeSelector(null, null),
            "any",
            null,
            null,
            List.of(new DomainBudget(null, scenario.maxUnavailable())),
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            null,
            order,
            null);
    return new CampaignState(
        CAMPAIGN, CAMPAIGN, START, spec, Optional.of(maintenanceClass), Optional.empty(), Map.of());
  }

  /** The last runs of each owner that had ended when the campaign began. */
  private RunHistory history() {
    List<Job> ended = new ArrayList<>();
    slots.values().forEach(node -> node.forEach(slot -> ended.addAll(slot.until(START))));
    ended.sort(Comparator.comparing(Job::end).reversed());
    Map<String, List<Duration>> runs = new HashMap<>();
    for (Job job : ended) {
      List<Duration> remembered = runs.computeIfAbsent(job.owner(), _ -> new ArrayList<>());
      if (remembered.size() < REMEMBERED_RUNS) {
        remembered.add(job.length());
      }
    }
    return new RunHistory(runs);
  }

  /** Runs the campaign in this order over the jobs of this seed. */
  public static Outcome run(OrderScenario scenario, JobMix mix, CampaignOrder order, long seed) {
    return new OrderRun(scenario, mix, order, seed).run();
  }

  private Outcome run() {
    Duration out = Duration.ZERO;
    Instant now = START;
    while (progress.size() < nodes.size() || !backAt.isEmpty()) {
      CampaignDecision decision = decide(now);
      for (String node : decision.start()) {
        Instant back = emptyAt(node, now).plus(scenario.work());
        backAt.put(node, back);
        progress.put(node, NodeProgress.inFlight(now));
        out = out.plus(Duration.between(now, back));
      }
      now = nextEvent(decision, now);
      land(now);
    }
    return new Outcome(out, Duration.between(START, now));
  }

  /**
   * The next event: a node returns, the last job on a cordoned node ends, or the campaign's next
   * check.
   */
  private Instant nextEvent(CampaignDecision decision, Instant now) {
    Stream<Instant> events = Stream.concat(backAt.values().stream(), decision.wakeAt().stream());
    if (decision.waits().stream().anyMatch(wait -> wait.reason() == WaitReason.NODE_BUSY)) {
      Stream<Instant> ends =
          nodes.stream()
              .filter(node -> !progress.containsKey(node.name()))
              .flatMap(node -> slots.getOrDefault(node.name(), List.of()).stream())
              .map(slot -> slot.at(now).end());
      events = Stream.concat(events, ends);
    }
    return events.min(Comparator.naturalOrder()).orElseThrow();
  }

  private CampaignDecision decide(Instant now) {
    List<Departure> departures =
        backAt.keySet().stream().map(node -> new Departure(node, CAMPAIGN, CAMPAIGN, now)).toList();
    Map<String, NodeLoad> loads = new HashMap<>();
    for (FleetNode node : nodes) {
      if (!progress.containsKey(node.name())) {
        loads.put(node.name(), load(node.name(), now));
      }
    }
    CampaignState state =
        new CampaignState(
            campaign.name(),
            campaign.uid(),
            campaign.created(),
            campaign.spec(),
            campaign.maintenanceClass(),
            campaign.approvedBy(),
            progress);
    CampaignFacts facts =
        new CampaignFacts(
            FleetNodes.of(nodes, departures),
            List.of(state),
            loads,
            history,
            List.of(),
            Optional.empty());
    return CampaignDecider.decide(facts, now).getFirst();
  }

  private NodeLoad load(String node, Instant now) {
    List<RunningPod> pods = new ArrayList<>();
    for (JobStream slot : slots.getOrDefault(node, List.of())) {
      Job job = slot.at(now);
      pods.add(new RunningPod(job.owner(), job.start(), job.limit(), Optional.empty()));
    }
    return new NodeLoad(Optional.empty(), pods);
  }

  /** When the currently running jobs end; a cordoned node gets no new ones. */
  private Instant emptyAt(String node, Instant now) {
    return slots.getOrDefault(node, List.of()).stream()
        .map(slot -> slot.at(now).end())
        .max(Comparator.naturalOrder())
        .orElse(now);
  }

  private void land(Instant now) {
    List<String> landed = new ArrayList<>();
    backAt.forEach(
        (node, back) -> {
          if (!back.isAfter(now)) {
            landed.add(node);
          }
        });
    for (String node : landed) {
      backAt.remove(node);
      progress.put(node, NodeProgress.done(START, now));
    }
  }
}
