package dev.drydock.maintenance.decide.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * A cluster that a test drives: nodes with truth and what caches show of it, two campaigns, two
 * operators, one ledger. Every grant is checked against the granting campaign's own limits.
 */
final class RandomFleet {
  private final Random random;
  private final boolean lagging;
  private final Map<String, FleetNode> truth = new TreeMap<>();
  private final Map<String, Departure> ledger = new HashMap<>();
  private final Map<String, CampaignState> campaigns = new LinkedHashMap<>();
  private final Operator[] operators = {new Operator(), new Operator()};
  private final Set<String> broken = new HashSet<>();
  private final Set<String> cordonedByOthers = new HashSet<>();
  private int ledgerVersion;
  private int grants;
  private Instant now = TestCampaignFacts.START;

  /** What one operator has seen, and what it is about to write. */
  private static final class Operator {
    private Map<String, FleetNode> seen = Map.of();
    private Map<String, Map<String, NodeProgress>> progress = Map.of();
    private List<CampaignDecision> decisions = List.of();
    private int ledgerRead = -1;
  }

  RandomFleet(long seed, boolean lagging) {
    this.random = new Random(seed);
    this.lagging = lagging;
    int count = 5 + random.nextInt(40);
    for (int i = 0; i < count; i++) {
      Map<String, String> labels = new HashMap<>();
      labels.put("rack", "r" + random.nextInt(6));
      if (random.nextInt(10) > 0) {
        labels.put(TestCampaignFacts.ZONE, "z" + random.nextInt(3));
      }
      String name = "n-" + i;
      truth.put(name, FleetNode.inService(name, labels, now.minus(Duration.ofHours(i))));
    }
    campaign("one");
    campaign("two");
  }

  private void campaign(String name) {
    TestSpec spec = TestSpec.spec().priority(random.nextInt(2));
    List<CampaignOrder> orders = List.of(CampaignOrder.values());
    spec.order(orders.get(random.nextInt(orders.size())));
    if (random.nextBoolean()) {
      spec.budget(null, limit());
    }
    if (random.nextBoolean()) {
      spec.budget(TestCampaignFacts.ZONE, limit());
    }
    spec.budget("rack", limit());
    if (random.nextBoolean()) {
      spec.batches(1 + random.nextInt(3), 1 + random.nextInt(3) / 2.0, null);
    }
    if (random.nextBoolean()) {
      spec.canary(1 + random.nextInt(2), null, random.nextInt(120));
    }
    if (random.nextInt(3) == 0) {
      spec.window("*/" + (2 + random.nextInt(8)) + " * * * *", "1m", null);
    }
    campaigns.put(
        name,
        new CampaignState(
            name,
            name,
            now,
            spec.build(),
            Optional.of(TestSpec.anyClass()),
            Optional.empty(),
            Map.of()));
  }

  private String limit() {
    return random.nextBoolean() ? "" + (1 + random.nextInt(3)) : (1 + random.nextInt(40)) + "%";
  }

  /** Something happens to nodes that has nothing to do with campaigns. */
  void disturb() {
    String node = any(truth.keySet());
    switch (random.nextInt(6)) {
      case 0 -> broken.add(node);
      case 1 -> broken.remove(node);
      case 2 -> cordonedByOthers.add(node);
      case 3 -> cordonedByOthers.remove(node);
      default -> {}
    }
  }

  void calmDown() {
    broken.clear();
    cordonedByOthers.clear();
  }

  /** One operator does the next thing: looks at the cluster, decides, or writes. */
  void operate() {
    now = now.plusSeconds(random.nextInt(20));
    Operator operator = operators[random.nextInt(operators.length)];
    int next = random.nextInt(3);
    if (!lagging || next == 0) {
      operator.seen = nodes();
      Map<String, Map<String, NodeProgress>> progress = new HashMap<>();
      campaigns.forEach((name, campaign) -> progress.put(name, campaign.progress()));
      operator.progress = progress;
    }
    if (!lagging || next == 1) {
      decide(operator);
    }
    if (!lagging || next == 2) {
      write(operator);
    }
  }

  /** Nodes with their cordons. */
  private Map<String, FleetNode> nodes() {
    Map<String, FleetNode> nodes = new HashMap<>();
    truth.forEach(
        (name, node) ->
            nodes.put(
                name,
                new FleetNode(
                    name,
                    node.labels(),
                    node.created(),
                    !broken.contains(name),
                    node.cordoned() || cordonedByOthers.contains(name),
                    node.holders())));
    return nodes;
  }

  private void decide(Operator operator) {
    operator.ledgerRead = ledgerVersion;
    List<CampaignState> states = new ArrayList<>();
    for (CampaignState campaign : campaigns.values()) {
      states.add(campaign.with(operator.progress.getOrDefault(campaign.name(), Map.of())));
    }
    operator.decisions =
        CampaignDecider.decide(
            new CampaignFacts(
                FleetNodes.of(operator.seen.values(), ledger.values()),
                states,
                Map.of(),
                RunHistory.NONE,
                List.of(),
                Optional.empty()),
            now);
    operator.decisions.forEach(RandomFleet::explained);
  }

  private static void explained(CampaignDecision decision) {
    boolean idle = decision.start().isEmpty() && decision.counts().waiting() > 0;
    if (idle) {
      assertThat(decision.waits()).as("%s", decision).isNotEmpty();
    }
    if (decision.phase() == CampaignPhase.Completed) {
      assertThat(decision.counts().waiting() + decision.counts().inFlight()).isZero();
    }
  }

  /** All grants in one write, which fails if the ledger has changed since it was read. */
  private void write(Operator operator) {
    if (operator.ledgerRead != ledgerVersion) {
      return;
    }
    for (CampaignDecision decision : operator.decisions) {
      for (String node : decision.start()) {
        // a cache may show a node in service that is done already: its maintenance tells
        if (the(campaigns, decision.campaign()).progress().containsKey(node)) {
          continue;
        }
        assertThat(ledger.put(node, new Departure(node, decision.campaign(), decision.uid(), now)))
            .as("%s leaves once", node)
            .isNull();
        grants++;
        check(decision.campaign(), node);
        progress(decision.campaign(), node, NodeProgress.inFlight(now));
      }
    }
    ledgerVersion++;
    operator.decisions = List.of();
  }

  /** I1, counted here independently of the code under test. */
  private void check(String campaign, String node) {
    MaintenanceCampaignSpec spec = the(campaigns, campaign).spec();
    Map<String, FleetNode> nodes = nodes();
    for (DomainBudget budget : Objects.requireNonNull(spec.budgets())) {
      String key = budget.key();
      List<FleetNode> domain =
          nodes.values().stream()
              .filter(
                  other ->
                      key == null
                          || Objects.equals(
                              other.labels().get(key), the(nodes, node).labels().get(key)))
              .toList();
      long out =
          domain.stream()
              .filter(other -> other.isOut() || ledger.containsKey(other.name()))
              .count();
      String limit = budget.maxUnavailable();
      int allowed =
          limit.endsWith("%")
              ? Math.max(1, domain.size() * Integer.parseInt(limit.replace("%", "")) / 100)
              : Integer.parseInt(limit);
      assertThat(out)
          .as(
              "out of %d in %s of %s, when %s leaves for %s",
              domain.size(), key, limit, node, campaign)
          .isLessThanOrEqualTo(allowed);
    }
  }

  /** Maintenances go on: cordon, then return to service, then the ledger forgets. */
  void maintain() {
    if (ledger.isEmpty()) {
      return;
    }
    Departure departure = the(ledger, any(ledger.keySet()));
    FleetNode node = the(truth, departure.node());
    if (!node.cordoned()) {
      if (the(the(campaigns, departure.by()).progress(), node.name()).isOver()) {
        ledger.remove(node.name());
        ledgerVersion++;
      } else {
        truth.put(node.name(), cordoned(node, true));
      }
    } else if (random.nextBoolean()) {
      truth.put(node.name(), cordoned(node, false));
      progress(departure.by(), node.name(), NodeProgress.done(departure.grantedAt(), now));
    }
  }

  private static FleetNode cordoned(FleetNode node, boolean cordoned) {
    return new FleetNode(node.name(), node.labels(), node.created(), true, cordoned, List.of());
  }

  private void progress(String campaign, String node, NodeProgress progress) {
    CampaignState state = the(campaigns, campaign);
    Map<String, NodeProgress> all = new HashMap<>(state.progress());
    all.put(node, progress);
    campaigns.put(campaign, state.with(all));
  }

  boolean isDone() {
    return campaigns.values().stream()
        .allMatch(
            campaign ->
                campaign.progress().size() == truth.size()
                    && campaign.progress().values().stream().allMatch(NodeProgress::isOver));
  }

  int grants() {
    return grants;
  }

  private static <T> T the(Map<String, T> map, String key) {
    return Objects.requireNonNull(map.get(key));
  }

  private String any(Set<String> names) {
    List<String> sorted = new ArrayList<>(names);
    sorted.sort(null);
    return sorted.get(random.nextInt(sorted.size()));
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(truth.size() + " nodes, " + ledger.size() + " out");
    campaigns.forEach(
        (name, state) ->
            text.append(", ").append(name).append(": ").append(state.progress().size()));
    return text.toString();
  }
}
