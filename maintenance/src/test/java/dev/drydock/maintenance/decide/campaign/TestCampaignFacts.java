package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.v1alpha1.CampaignNames;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Facts, written as shortly as a test allows: nodes, loads and campaigns at a moment. */
final class TestCampaignFacts {
  static final Instant START = Instant.parse("2026-03-04T10:00:00Z");
  static final String ZONE = CampaignNames.ZONE_LABEL;

  private final Map<String, FleetNode> nodes = new LinkedHashMap<>();
  private final List<Departure> departures = new ArrayList<>();
  private final Map<String, NodeLoad> loads = new HashMap<>();
  private final Map<String, CampaignState> campaigns = new LinkedHashMap<>();
  private final List<BudgetLevel> budgets = new ArrayList<>();
  private @Nullable String andonCord;

  static Instant at(long minutes) {
    return START.plus(Duration.ofMinutes(minutes));
  }

  /** Nodes named n-1 and so on. */
  static TestCampaignFacts of(int count) {
    TestCampaignFacts fleet = new TestCampaignFacts();
    for (int i = 1; i <= count; i++) {
      fleet.node("n-" + i, Map.of());
    }
    return fleet;
  }

  TestCampaignFacts node(String name, Map<String, String> labels) {
    return node(FleetNode.inService(name, labels, START.minus(Duration.ofDays(30))));
  }

  TestCampaignFacts zoned(String zone, String... names) {
    for (String name : names) {
      node(name, Map.of(ZONE, zone));
    }
    return this;
  }

  TestCampaignFacts node(FleetNode node) {
    nodes.put(node.name(), node);
    return this;
  }

  TestCampaignFacts notReady(String name) {
    FleetNode old = get(name);
    return node(new FleetNode(name, old.labels(), old.created(), false, false, List.of()));
  }

  TestCampaignFacts cordoned(String name) {
    FleetNode old = get(name);
    return node(new FleetNode(name, old.labels(), old.created(), true, true, List.of()));
  }

  TestCampaignFacts held(String name, String holder) {
    FleetNode old = get(name);
    return node(new FleetNode(name, old.labels(), old.created(), true, true, List.of(holder)));
  }

  TestCampaignFacts gone(String name) {
    nodes.remove(name);
    return this;
  }

  TestCampaignFacts departed(String node, String campaign) {
    departures.add(new Departure(node, campaign, campaign, START));
    return this;
  }

  /** A job that Kubernetes ends then, at the latest. */
  TestCampaignFacts busyFor(String node, long minutes) {
    loads.put(node, NodeLoad.until(at(minutes)));
    return this;
  }

  /** A pod that no drain can move. */
  TestCampaignFacts stuck(String node, String why) {
    loads.put(node, new NodeLoad(Optional.empty(), List.of(), Optional.of(why)));
    return this;
  }

  TestCampaignFacts campaign(String name, TestSpec spec) {
    MaintenanceCampaignSpec built = spec.build();
    campaigns.put(
        name,
        new CampaignState(
            name,
            name,
            START.plusSeconds(campaigns.size()),
            built,
            Optional.of(TestSpec.anyClass()),
            Optional.empty(),
            Map.of()));
    return this;
  }

  TestCampaignFacts replace(CampaignState campaign) {
    campaigns.put(campaign.name(), campaign);
    return this;
  }

  TestCampaignFacts progress(String campaign, String node, NodeProgress progress) {
    CampaignState state = state(campaign);
    Map<String, NodeProgress> all = new HashMap<>(state.progress());
    all.put(node, progress);
    return replace(state.with(all));
  }

  TestCampaignFacts approved(String campaign, String by) {
    CampaignState old = state(campaign);
    return replace(
        new CampaignState(
            campaign,
            campaign,
            old.created(),
            old.spec(),
            old.maintenanceClass(),
            Optional.of(by),
            old.progress()));
  }

  TestCampaignFacts budget(@Nullable String key, String maxUnavailable) {
    budgets.add(BudgetLevel.of(new DomainBudget(key, maxUnavailable)));
    return this;
  }

  TestCampaignFacts andonCord(String why) {
    andonCord = why;
    return this;
  }

  CampaignState state(String campaign) {
    return Objects.requireNonNull(campaigns.get(campaign));
  }

  FleetNode get(String name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  List<FleetNode> get(List<String> names) {
    return names.stream().map(this::get).toList();
  }

  FleetNodes fleet() {
    return FleetNodes.of(nodes.values(), departures);
  }

  CampaignFacts facts() {
    return new CampaignFacts(
        fleet(),
        List.copyOf(campaigns.values()),
        loads,
        RunHistory.NONE,
        budgets,
        Optional.ofNullable(andonCord));
  }

  /** The decision of the only campaign. */
  CampaignDecision decide(Instant now) {
    return CampaignDecider.decide(facts(), now).getFirst();
  }

  CampaignDecision decide(String campaign, Instant now) {
    return CampaignDecider.decide(facts(), now).stream()
        .filter(decision -> decision.campaign().equals(campaign))
        .findFirst()
        .orElseThrow();
  }
}
