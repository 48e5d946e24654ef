package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.NameLists;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus.Counts;
import dev.drydock.drain.engine.decide.NaturalOrder;
import dev.drydock.maintenance.decide.campaign.CampaignDecision.Upcoming;
import dev.drydock.maintenance.decide.campaign.NodeProgress.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One campaign's part of a decision. */
final class CampaignTurn {
  /** The maximum number of nodes in a status. */
  private static final int UPCOMING = 20;

  /** The maximum number of full domains in a status. */
  private static final int DOMAINS = 5;

  private final CampaignFacts facts;
  private final CampaignState campaign;
  private final CampaignRules.Reading reading;
  private final Instant now;

  /** The progress of every node that the campaign has taken. */
  private final Map<String, NodeProgress> progress;

  CampaignTurn(
      CampaignFacts facts, CampaignState campaign, CampaignRules.Reading reading, Instant now) {
    this.facts = facts;
    this.campaign = campaign;
    this.reading = reading;
    this.now = now;
    this.progress = new TreeMap<>(NaturalOrder.INSTANCE);
    progress.putAll(facts.progress(campaign));
  }

  /**
   * What this campaign does now.
   *
   * @param freed whether it counts as approved and resumed, with the andon cord released
   */
  CampaignDecision decide(boolean freed) {
    if (reading.rules().isEmpty() || campaign.maintenanceClass().isEmpty()) {
      return invalid(reading.mistakes());
    }
    CampaignRules rules = reading.rules().get();
    List<FleetNode> waiting = waiting(rules);
    Counts counts = counts(waiting.size());
    if (campaign.recordLost().isPresent()) {
      DepartureWait lost = DepartureWait.of(WaitReason.RECORD_LOST, campaign.recordLost().get());
      Picked none = new Picked(List.of(), List.of(lost));
      return decision(CampaignPhase.Halted, none, List.of(), counts);
    }
    List<Candidate> inOrder = NodeOrder.sorted(rules.order(), candidates(waiting), now);
    StartConditions conditions = new StartConditions(campaign, rules, progress);
    Optional<CampaignPhase> finished = conditions.isStopped() ? Optional.empty() : finished(counts);
    if (finished.isPresent()) {
      return decision(finished.get(), new Picked(List.of(), List.of()), inOrder, counts);
    }
    Optional<DepartureWait> byPeople =
        freed ? Optional.empty() : conditions.closedByPeople(facts.andonCord());
    Optional<DepartureWait> permission = byPeople.or(() -> conditions.closed(counts.total(), now));
    if (permission.isPresent()) {
      Picked none = new Picked(List.of(), List.of(permission.get()));
      return decision(
          StartConditions.phase(permission.get(), counts.inFlight() > 0), none, inOrder, counts);
    }
    Picked picked = pick(rules, inOrder, counts.total());
    picked.waits.addAll(blocked(waiting));
    return decision(running(counts, picked), picked, inOrder, counts);
  }

  /** Nodes that leave now, and why others do not. */
  private record Picked(List<String> start, List<DepartureWait> waits) {}

  private CampaignDecision invalid(List<SpecMistake> mistakes) {
    List<DepartureWait> waits = new ArrayList<>();
    if (campaign.maintenanceClass().isEmpty()) {
      String name = campaign.spec().maintenanceClass();
      String message = "spec.maintenanceClass: no MaintenanceClass is named \"" + name + "\"";
      waits.add(DepartureWait.of(WaitReason.INVALID, message));
    }
    mistakes.forEach(
        mistake -> waits.add(DepartureWait.of(WaitReason.INVALID, mistake.toString())));
    Picked none = new Picked(List.of(), waits);
    return decision(CampaignPhase.Invalid, none, List.of(), counts(0));
  }

  /** Nodes that match the selector and have not been taken yet. */
  private List<FleetNode> waiting(CampaignRules rules) {
    return facts.fleet().nodes().values().stream()
        .filter(node -> rules.selector().matches(node.labels()))
        .filter(node -> !progress.containsKey(node.name()))
        .toList();
  }

  private Counts counts(int waiting) {
    int out = count(State.IN_FLIGHT);
    int done = count(State.DONE);
    int failed = count(State.FAILED);
    return new Counts(waiting + progress.size(), waiting, out, done, failed);
  }

  private int count(State state) {
    return (int) progress.values().stream().filter(node -> node.state() == state).count();
  }

  /** Nodes in service: nothing keeps them out, and their drain can be observed. */
  private List<Candidate> candidates(List<FleetNode> waiting) {
    return waiting.stream()
        .filter(node -> !facts.fleet().isOut(node))
        .map(
            node ->
                new Candidate(
                    node,
                    load(node).leavesIn(facts.history(), now),
                    later(campaign.created(), node.created()),
                    load(node).never()))
        .toList();
  }

  private NodeLoad load(FleetNode node) {
    return facts.loads().getOrDefault(node.name(), NodeLoad.EMPTY);
  }

  private static Instant later(Instant a, Instant b) {
    return a.isAfter(b) ? a : b;
  }

  private static Optional<CampaignPhase> finished(Counts counts) {
    if (counts.total() == 0 || counts.waiting() > 0 || counts.inFlight() > 0) {
      return Optional.empty();
    }
    return Optional.of(counts.failed() > 0 ? CampaignPhase.Incomplete : CampaignPhase.Completed);
  }

  private static CampaignPhase running(Counts counts, Picked picked) {
    boolean moves = counts.inFlight() > 0 || !picked.start.isEmpty();
    return moves ? CampaignPhase.Running : CampaignPhase.Waiting;
  }

  private Picked pick(CampaignRules rules, List<Candidate> inOrder, int total) {
    List<DepartureWait> waits = new ArrayList<>();
    Batches.Room room = rules.batches().room(progress.values(), total, now);
    if (room.why().isPresent()) {
      waits.add(room.why().get());
      return new Picked(List.of(), waits);
    }
    List<Candidate> able = able(inOrder, waits);
    List<FleetNode> ready =
        switch (rules.order()) {
          case SOONEST -> notBusy(rules.deferral(), able, waits);
          case ZONE -> ofOpenZone(able, waits);
          case NAME, AGE -> nodes(able);
        };
    List<BudgetLevel> levels = new ArrayList<>(rules.budgets());
    levels.addAll(facts.budgets());
    DomainBudgets.Grants grants =
        new DomainBudgets(levels).mayLeave(facts.fleet(), ready, room.nodes());
    waits.addAll(budgetWaits(grants.refused()));
    return new Picked(grants.granted(), waits);
  }

  /** Those that can drain: the others would only be half idle, and keep places in the budgets. */
  private static List<Candidate> able(List<Candidate> inOrder, List<DepartureWait> waits) {
    List<String> unable =
        inOrder.stream()
            .flatMap(
                candidate ->
                    candidate.never().map(why -> candidate.node().name() + ": " + why).stream())
            .toList();
    if (!unable.isEmpty()) {
      String message =
          "nodes that can never drain as they are stay in service: " + NameLists.some(unable);
      waits.add(DepartureWait.of(WaitReason.NODE_CANNOT_DRAIN, message));
    }
    return inOrder.stream().filter(candidate -> candidate.never().isEmpty()).toList();
  }

  private List<FleetNode> notBusy(
      Deferral deferral, List<Candidate> inOrder, List<DepartureWait> waits) {
    Deferral.Sorted sorted = deferral.sort(inOrder, now);
    sorted.why().ifPresent(waits::add);
    return nodes(sorted.ready());
  }

  private List<FleetNode> ofOpenZone(List<Candidate> inOrder, List<DepartureWait> waits) {
    if (inOrder.isEmpty()) {
      return List.of();
    }
    Set<String> zones = openZones(inOrder);
    List<Candidate> open = inOrder.stream().filter(node -> zones.contains(zone(node))).toList();
    if (open.isEmpty()) {
      String message =
          "zone %s comes when the nodes of zone %s are back"
              .formatted(zone(inOrder.getFirst()), String.join(", ", zones));
      waits.add(DepartureWait.of(WaitReason.ZONE_RUNNING, message));
    }
    return nodes(open);
  }

  private static List<FleetNode> nodes(List<Candidate> candidates) {
    return candidates.stream().map(Candidate::node).toList();
  }

  /** The zones with nodes out, otherwise the next one. */
  private Set<String> openZones(List<Candidate> inOrder) {
    Set<String> out =
        progress.entrySet().stream()
            .filter(node -> node.getValue().state() == State.IN_FLIGHT)
            .flatMap(node -> Optional.ofNullable(facts.fleet().nodes().get(node.getKey())).stream())
            .map(NodeOrder::zoneOf)
            .collect(Collectors.toSet());
    return out.isEmpty() ? Set.of(zone(inOrder.getFirst())) : out;
  }

  private static String zone(Candidate candidate) {
    return NodeOrder.zoneOf(candidate.node());
  }

  private static List<DepartureWait> budgetWaits(Map<String, DomainUse> refused) {
    Map<String, List<DomainUse>> byDomain = new LinkedHashMap<>();
    refused
        .values()
        .forEach(use -> byDomain.computeIfAbsent(use.domain(), _ -> new ArrayList<>()).add(use));
    return byDomain.values().stream()
        .map(
            uses ->
                DepartureWait.of(
                    WaitReason.BUDGET_FULL,
                    uses.getFirst().describe() + "; " + count(uses.size()) + " for it"))
        .limit(DOMAINS)
        .toList();
  }

  private static String count(int count) {
    return count == 1 ? "1 node waits" : count + " nodes wait";
  }

  /** Nodes that are out for other reasons: they wait until those have ended. */
  private List<DepartureWait> blocked(List<FleetNode> waiting) {
    List<DepartureWait> waits = new ArrayList<>();
    blocked(WaitReason.NODE_NOT_READY, waiting, node -> !isKeptOut(node) && !node.ready())
        .ifPresent(waits::add);
    blocked(WaitReason.NODE_KEPT_OUT, waiting, this::isKeptOut).ifPresent(waits::add);
    return waits;
  }

  private boolean isKeptOut(FleetNode node) {
    return node.isKeptOut() || facts.fleet().departures().containsKey(node.name());
  }

  private Optional<DepartureWait> blocked(
      WaitReason reason, List<FleetNode> waiting, Predicate<FleetNode> condition) {
    List<String> names =
        waiting.stream()
            .filter(condition)
            .sorted(Comparator.comparing(FleetNode::name, NaturalOrder.INSTANCE))
            .map(node -> node.name() + ": " + facts.fleet().whyOut(node).orElse("out"))
            .toList();
    return names.isEmpty()
        ? Optional.empty()
        : Optional.of(
            DepartureWait.of(
                reason, count(names.size()) + " until back in service: " + NameLists.some(names)));
  }

  private CampaignDecision decision(
      CampaignPhase phase, Picked picked, List<Candidate> inOrder, Counts counts) {
    Set<String> starts = Set.copyOf(picked.start);
    boolean over = phase == CampaignPhase.Stopped;
    List<Upcoming> next =
        (over ? List.<Candidate>of() : inOrder)
            .stream()
                .filter(candidate -> !starts.contains(candidate.node().name()))
                .limit(UPCOMING)
                .map(candidate -> new Upcoming(candidate.node().name(), candidate.leavesIn()))
                .toList();
    Optional<Instant> wake =
        picked.waits.stream().flatMap(wait -> wait.until().stream()).min(Instant::compareTo);
    return new CampaignDecision(
        campaign.name(), campaign.uid(), phase, picked.start, next, picked.waits, counts, wake);
  }
}
