package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.GoDuration;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.drain.engine.decide.NaturalOrder;
import dev.drydock.maintenance.decide.campaign.CampaignPlan.Moment;
import dev.drydock.maintenance.decide.campaign.CampaignPlan.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Simulates the campaigns' decisions in virtual time. */
final class Forecast {
  /** How often a window may pass without a departure because of another campaign. */
  private static final int IDLE_ROUNDS = 50;

  /** How many nodes a forecast that nobody waits for may look at, which takes some seconds. */
  static final long MOST_LOOKS = 3_000_000;

  private final CampaignFacts facts;
  private final Map<String, Duration> planned;
  private final long mostLooks;

  /** The work of campaigns that are not planned: that of the longest of those that are. */
  private final Duration othersWork;

  private final Map<String, CampaignState> campaigns = new LinkedHashMap<>();
  private final Map<String, FleetNode> nodes;
  private final Map<String, Departure> departures;
  private final List<Flight> flights = new ArrayList<>();
  private final List<Flight> steps = new ArrayList<>();
  private final List<Moment> use = new ArrayList<>();
  private final Map<String, CampaignDecision> last = new HashMap<>();
  private final Map<String, CampaignRules.Reading> rules = new HashMap<>();
  private long looks;
  private Optional<Instant> wakeAt = Optional.empty();

  /** A node that is out until it returns. */
  private record Flight(String campaign, Step step) {}

  /**
   * @param planned the campaigns that count as approved and resumed, and how long their work takes
   */
  Forecast(CampaignFacts facts, Map<String, Duration> planned, long mostLooks, Instant now) {
    this.facts = frozen(facts, now);
    this.planned = planned;
    this.mostLooks = mostLooks;
    othersWork = planned.values().stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    facts.campaigns().forEach(campaign -> campaigns.put(campaign.name(), campaign));
    nodes = new HashMap<>(facts.fleet().nodes());
    departures = new HashMap<>(facts.fleet().departures());
  }

  /**
   * Fixes each node's drain time by what is known now: it will be empty then, and get no more work.
   */
  private static CampaignFacts frozen(CampaignFacts facts, Instant now) {
    Map<String, NodeLoad> loads = new HashMap<>();
    facts
        .loads()
        .forEach(
            (node, load) ->
                loads.put(node, load.fixed(now.plus(load.leavesIn(facts.history(), now)))));
    return new CampaignFacts(
        facts.fleet(),
        facts.campaigns(),
        loads,
        RunHistory.NONE,
        facts.budgets(),
        facts.andonCord());
  }

  CampaignPlan plan(String campaign, Instant now) {
    run(now, time -> note(campaign, time));
    return plan(campaign);
  }

  CampaignPlan.Ends ends(Instant now) {
    run(now, _ -> {});
    Map<String, Instant> ends = new HashMap<>();
    planned.keySet().forEach(campaign -> end(campaign).ifPresent(at -> ends.put(campaign, at)));
    return new CampaignPlan.Ends(ends, looks);
  }

  private void run(Instant now, Consumer<Instant> decided) {
    takeOver(now);
    Instant time = now;
    decide(time);
    decided.accept(time);
    int idle = 0;
    while (!isOver() && idle < IDLE_ROUNDS && looks < mostLooks) {
      Optional<Instant> next = nextEvent(time);
      if (next.isEmpty()) {
        break;
      }
      time = next.get();
      int before = flights.size();
      boolean landed = land(time);
      decide(time);
      decided.accept(time);
      idle = landed || flights.size() > before ? 0 : idle + 1;
    }
  }

  /** Nodes that are out already: their progress is unknown, so they take the whole time. */
  private void takeOver(Instant now) {
    for (CampaignState campaign : campaigns.values()) {
      Map<String, NodeProgress> known = new HashMap<>(campaign.progress());
      departures.values().stream()
          .filter(departure -> departure.uid().equals(campaign.uid()))
          .forEach(
              departure ->
                  known.putIfAbsent(
                      departure.node(), NodeProgress.inFlight(departure.grantedAt())));
      known.forEach(
          (node, progress) -> {
            if (!progress.isOver()) {
              fly(campaign.name(), node, progress.startedAt(), now);
            }
          });
    }
  }

  /** Lets nodes of all campaigns leave that may still do so. */
  private void decide(Instant time) {
    FleetNodes fleet = new FleetNodes(nodes, departures);
    looks += (long) campaigns.size() * nodes.size();
    List<CampaignDecision> decisions =
        CampaignDecider.decide(
            facts.with(fleet, List.copyOf(campaigns.values())),
            time,
            planned.keySet(),
            campaign ->
                rules.computeIfAbsent(campaign.name(), _ -> CampaignDecider.rules(campaign)));
    for (CampaignDecision decision : decisions) {
      last.put(decision.campaign(), decision);
      for (String node : decision.start()) {
        departures.put(node, new Departure(node, decision.campaign(), decision.uid(), time));
        fly(decision.campaign(), node, time, time);
      }
    }
    wakeAt = decisions.stream().flatMap(one -> one.wakeAt().stream()).min(Instant::compareTo);
    decisions.stream()
        .filter(this::isAtRest)
        .forEach(decision -> campaigns.remove(decision.campaign()));
  }

  /** Whether the campaign will do nothing more, whatever others do. */
  private boolean isAtRest(CampaignDecision decision) {
    boolean rests =
        switch (decision.phase()) {
          case Completed, Incomplete, Stopped, Halted, Invalid, Paused, AwaitingApproval -> true;
          case Running, Waiting ->
              decision.counts().total() == 0
                  || decision.waits().stream()
                      .anyMatch(wait -> wait.reason() == WaitReason.NEVER_OPENS);
        };
    return rests && isBack(decision.campaign());
  }

  private boolean isBack(String campaign) {
    return flights.stream().noneMatch(flight -> flight.campaign.equals(campaign));
  }

  private void fly(String campaign, String node, Instant leaves, Instant now) {
    Duration left = facts.loads().getOrDefault(node, NodeLoad.EMPTY).leavesIn(facts.history(), now);
    Instant empty = now.plus(left);
    Duration work = planned.getOrDefault(campaign, othersWork);
    Flight flight = new Flight(campaign, new Step(node, leaves, empty, empty.plus(work)));
    flights.add(flight);
    record(campaign, node, NodeProgress.inFlight(leaves));
    if (planned.containsKey(campaign)) {
      steps.add(flight);
    }
  }

  private boolean land(Instant time) {
    List<Flight> landing =
        flights.stream().filter(flight -> !flight.step.back().isAfter(time)).toList();
    for (Flight flight : landing) {
      String node = flight.step.node();
      departures.remove(node);
      nodes.computeIfPresent(
          node, (name, old) -> FleetNode.inService(name, old.labels(), old.created()));
      record(flight.campaign, node, NodeProgress.done(flight.step.leaves(), flight.step.back()));
    }
    flights.removeAll(landing);
    return !landing.isEmpty();
  }

  private void record(String campaign, String node, NodeProgress progress) {
    CampaignState state = campaigns.get(campaign);
    if (state != null) {
      Map<String, NodeProgress> newer = new HashMap<>(state.progress());
      newer.put(node, progress);
      campaigns.put(campaign, state.with(newer));
    }
  }

  private Optional<Instant> nextEvent(Instant time) {
    return Stream.concat(wakeAt.stream(), flights.stream().map(flight -> flight.step.back()))
        .filter(event -> event.isAfter(time))
        .min(Comparator.naturalOrder());
  }

  private void note(String campaign, Instant time) {
    int out = (int) flights.stream().filter(flight -> flight.campaign.equals(campaign)).count();
    List<DomainUse> tightest = facts.with(new FleetNodes(nodes, departures)).tightest(campaign);
    Moment moment = new Moment(time, out, tightest);
    boolean changed = use.isEmpty() || !use.getLast().tightest().equals(tightest);
    if (changed || use.getLast().out() != out) {
      use.add(moment);
    }
  }

  private boolean isOver() {
    return planned.keySet().stream().noneMatch(campaigns::containsKey);
  }

  private List<Step> steps(String campaign) {
    return steps.stream()
        .filter(flight -> flight.campaign.equals(campaign))
        .map(Flight::step)
        .sorted(Comparator.comparing(Step::leaves).thenComparing(Step::node, NaturalOrder.INSTANCE))
        .toList();
  }

  private boolean isComplete(String campaign) {
    CampaignDecision decision = last.get(campaign);
    return decision != null
        && (decision.phase() == CampaignPhase.Completed
            || decision.phase() == CampaignPhase.Incomplete);
  }

  private Optional<Instant> end(String campaign) {
    return isComplete(campaign)
        ? steps.stream()
            .filter(flight -> flight.campaign.equals(campaign))
            .map(flight -> flight.step.back())
            .max(Comparator.naturalOrder())
        : Optional.empty();
  }

  private CampaignPlan plan(String campaign) {
    List<DepartureWait> waits =
        isComplete(campaign)
            ? List.of()
            : Optional.ofNullable(last.get(campaign))
                .map(CampaignDecision::waits)
                .orElse(List.of());
    return new CampaignPlan(steps(campaign), use, waits, assumptions(campaign), end(campaign));
  }

  private List<String> assumptions(String name) {
    CampaignState campaign =
        facts.campaigns().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    List<String> all = new ArrayList<>();
    all.add(
        "no node fails, and each takes "
            + GoDuration.words(planned.getOrDefault(name, othersWork))
            + " once it is empty");
    boolean needsApproval =
        campaign.spec().approval() != null
            && Boolean.TRUE.equals(campaign.spec().approval().required())
            && campaign.approvedBy().isEmpty();
    if (needsApproval) {
      all.add("the campaign is approved now");
    }
    if (Boolean.TRUE.equals(campaign.spec().paused())) {
      all.add("the campaign is resumed now");
    }
    facts.andonCord().ifPresent(_ -> all.add("the andon cord is released now"));
    return all;
  }
}
