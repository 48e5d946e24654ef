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
import java.util.stream.Stream;

/** Simulates the campaigns' decisions in virtual time. */
final class Forecast {
  /** How often a window may pass without a departure because of another campaign. */
  private static final int IDLE_ROUNDS = 50;

  private final CampaignFacts facts;
  private final CampaignState planned;
  private final Duration work;
  private final Map<String, CampaignState> campaigns = new LinkedHashMap<>();
  private final Map<String, FleetNode> nodes;
  private final Map<String, Departure> departures;
  private final List<Flight> flights = new ArrayList<>();
  private final List<Step> steps = new ArrayList<>();
  private final List<Moment> use = new ArrayList<>();
  private Optional<Instant> wakeAt = Optional.empty();

  /** A node that is out until it returns. */
  private record Flight(String campaign, Step step) {}

  Forecast(CampaignFacts facts, String name, Duration work, Instant now) {
    this.facts = frozen(facts, now);
    this.work = work;
    facts.campaigns().forEach(campaign -> campaigns.put(campaign.name(), campaign));
    nodes = new HashMap<>(facts.fleet().nodes());
    departures = new HashMap<>(facts.fleet().departures());
    CampaignState found = campaigns.get(name);
    if (found == null) {
      throw new IllegalArgumentException("there is no campaign named \"" + name + "\"");
    }
    planned = found;
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

  CampaignPlan run(Instant now) {
    takeOver(now);
    Instant time = now;
    CampaignDecision last = decide(time);
    int idle = 0;
    while (!isOver(last) && idle < IDLE_ROUNDS) {
      Optional<Instant> next = nextEvent(time);
      if (next.isEmpty()) {
        break;
      }
      time = next.get();
      int before = flights.size();
      boolean landed = land(time);
      last = decide(time);
      idle = landed || flights.size() > before ? 0 : idle + 1;
    }
    return plan(last);
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

  /** Lets nodes of all campaigns leave, and returns the planned campaign's decision. */
  private CampaignDecision decide(Instant time) {
    FleetNodes fleet = new FleetNodes(nodes, departures);
    List<CampaignDecision> decisions =
        CampaignDecider.decide(
            facts.with(fleet, List.copyOf(campaigns.values())), time, Optional.of(planned.name()));
    for (CampaignDecision decision : decisions) {
      for (String node : decision.start()) {
        departures.put(node, new Departure(node, decision.campaign(), decision.uid(), time));
        fly(decision.campaign(), node, time, time);
      }
    }
    wakeAt = decisions.stream().flatMap(one -> one.wakeAt().stream()).min(Instant::compareTo);
    note(time);
    return decisions.stream()
        .filter(decision -> decision.campaign().equals(planned.name()))
        .findFirst()
        .orElseThrow();
  }

  private void fly(String campaign, String node, Instant leaves, Instant now) {
    Duration left = facts.loads().getOrDefault(node, NodeLoad.EMPTY).leavesIn(facts.history(), now);
    Instant empty = now.plus(left);
    Step step = new Step(node, leaves, empty, empty.plus(work));
    flights.add(new Flight(campaign, step));
    record(campaign, node, NodeProgress.inFlight(leaves));
    if (campaign.equals(planned.name())) {
      steps.add(step);
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

  private void note(Instant time) {
    int out = (int) flights.stream().filter(flight -> isPlanned(flight)).count();
    List<DomainUse> tightest =
        facts.with(new FleetNodes(nodes, departures)).tightest(planned.name());
    Moment moment = new Moment(time, out, tightest);
    boolean changed = use.isEmpty() || !use.getLast().tightest().equals(tightest);
    if (changed || use.getLast().out() != out) {
      use.add(moment);
    }
  }

  private boolean isPlanned(Flight flight) {
    return flight.campaign.equals(planned.name());
  }

  private boolean isOver(CampaignDecision last) {
    boolean gone = flights.stream().noneMatch(this::isPlanned);
    return gone
        && switch (last.phase()) {
          case Completed, Incomplete, Stopped, Halted, Invalid -> true;
          default -> false;
        };
  }

  private CampaignPlan plan(CampaignDecision last) {
    steps.sort(Comparator.comparing(Step::leaves).thenComparing(Step::node, NaturalOrder.INSTANCE));
    boolean complete =
        last.phase() == CampaignPhase.Completed || last.phase() == CampaignPhase.Incomplete;
    Optional<Instant> end =
        complete ? steps.stream().map(Step::back).max(Comparator.naturalOrder()) : Optional.empty();
    return new CampaignPlan(steps, use, complete ? List.of() : last.waits(), assumptions(), end);
  }

  private List<String> assumptions() {
    List<String> all = new ArrayList<>();
    all.add("no node fails, and each takes " + GoDuration.words(work) + " once it is empty");
    boolean needsApproval =
        planned.spec().approval() != null
            && Boolean.TRUE.equals(planned.spec().approval().required())
            && planned.approvedBy().isEmpty();
    if (needsApproval) {
      all.add("the campaign is approved now");
    }
    if (Boolean.TRUE.equals(planned.spec().paused())) {
      all.add("the campaign is resumed now");
    }
    facts.andonCord().ifPresent(_ -> all.add("the andon cord is released now"));
    return all;
  }
}
