package dev.drydock.maintenance.decide.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.maintenance.decide.campaign.DomainBudgets.Grants;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DomainBudgetsTest {
  private static final int ALL = Integer.MAX_VALUE;

  @Test
  void withoutALevelEverybodyMayLeave() {
    TestCampaignFacts fleet = TestCampaignFacts.of(3);

    assertThat(leave(budgets(), fleet, "n-2", "n-1").granted()).containsExactly("n-2", "n-1");
  }

  @Test
  void theFirstInOrderLeaveUntilTheDomainIsFull() {
    TestCampaignFacts fleet = TestCampaignFacts.of(4);

    Grants grants = leave(budgets(level(null, "2")), fleet, "n-3", "n-1", "n-4", "n-2");

    assertThat(grants.granted()).containsExactly("n-3", "n-1");
    assertThat(grants.refused()).containsOnlyKeys("n-4", "n-2");
    assertThat(refused(grants, "n-4").describe())
        .isEqualTo("the cluster: 2 of at most 2 out (n-1: leaving now, n-3: leaving now)");
  }

  @Test
  void aFullDomainDoesNotKeepOthersBack() {
    TestCampaignFacts fleet = new TestCampaignFacts().zoned("a", "a1", "a2").zoned("b", "b1", "b2");

    Grants grants =
        leave(budgets(level(TestCampaignFacts.ZONE, "1")), fleet, "a1", "a2", "b1", "b2");

    assertThat(grants.granted()).containsExactly("a1", "b1");
  }

  @Test
  void everyLevelHasToAgree() {
    TestCampaignFacts fleet = new TestCampaignFacts();
    for (String zone : List.of("a", "b")) {
      for (String rack : List.of("1", "2")) {
        for (String name : List.of("x", "y")) {
          fleet.node(
              zone + rack + name, Map.of(TestCampaignFacts.ZONE, zone, "rack", zone + "-" + rack));
        }
      }
    }
    DomainBudgets tree =
        budgets(level(null, "50%"), level(TestCampaignFacts.ZONE, "2"), level("rack", "1"));

    Grants grants = leave(tree, fleet, "a1x", "a1y", "a2x", "a2y", "b1x", "b1y", "b2x", "b2y");

    assertThat(grants.granted()).containsExactly("a1x", "a2x", "b1x", "b2x");
    assertThat(refused(grants, "a1y").domain()).isEqualTo("rack=a-1");
    assertThat(refused(grants, "a2y").domain()).isEqualTo("topology.kubernetes.io/zone=a");
    assertThat(refused(grants, "b2y").domain()).isEqualTo("the cluster");
  }

  @Test
  void whoIsOutForAnyReasonCounts() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(9)
            .notReady("n-1")
            .cordoned("n-2")
            .held("n-3", "drain/ops/x")
            .departed("n-4", "other");

    Grants full = leave(budgets(level(null, "4")), fleet, "n-5");
    Grants room = leave(budgets(level(null, "5")), fleet, "n-5");

    assertThat(full.granted()).isEmpty();
    assertThat(refused(full, "n-5").describe())
        .isEqualTo(
            "the cluster: 4 of at most 4 out (n-1: not ready, n-2: cordoned, n-3: held by"
                + " drain/ops/x, n-4: leaving for campaign other)");
    assertThat(room.granted()).containsExactly("n-5");
  }

  @Test
  void whoIsOutForTwoReasonsCountsOnce() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(4).held("n-1", "drain/ops/x").departed("n-1", "c");

    assertThat(leave(budgets(level(null, "2")), fleet, "n-2").granted()).containsExactly("n-2");
  }

  @Test
  void moreThanAllowedMayBeOutAndThenNobodyLeaves() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(4).notReady("n-1").notReady("n-2").notReady("n-3");

    Grants grants = leave(budgets(level(null, "1")), fleet, "n-4");

    assertThat(grants.granted()).isEmpty();
    assertThat(refused(grants, "n-4").describe()).startsWith("the cluster: 3 of at most 1 out");
  }

  @Test
  void whoIsOutAlreadyTakesNoRoom() {
    TestCampaignFacts fleet = TestCampaignFacts.of(4).cordoned("n-1");

    assertThat(leave(budgets(level(null, "1")), fleet, "n-1", "n-2").granted())
        .containsExactly("n-1");
  }

  @Test
  void nodesWithoutTheLabelAreADomainOfTheirOwn() {
    TestCampaignFacts fleet = TestCampaignFacts.of(3).zoned("a", "a1", "a2");

    Grants grants = leave(budgets(level(TestCampaignFacts.ZONE, "1")), fleet, "n-1", "n-2", "a1");

    assertThat(grants.granted()).containsExactly("n-1", "a1");
    assertThat(refused(grants, "n-2").domain()).isEqualTo("topology.kubernetes.io/zone=(none)");
  }

  @Test
  void noMoreLeaveThanAskedFor() {
    Grants grants =
        budgets(level(null, "3")).mayLeave(TestCampaignFacts.of(5).fleet(), nodes(5), 1);

    assertThat(grants.granted()).containsExactly("n-1");
    assertThat(grants.refused()).isEmpty();
    assertThat(budgets().mayLeave(TestCampaignFacts.of(5).fleet(), nodes(5), 0).granted())
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "1, 1, 1",
    "1, 100, 1",
    "50, 3, 50",
    // a percentage is rounded down, but to no less than one
    "10%, 1, 1",
    "10%, 9, 1",
    "10%, 10, 1",
    "10%, 19, 1",
    "10%, 20, 2",
    "33%, 10, 3",
    "100%, 7, 7",
    "1%, 5000, 50"
  })
  void limits(String text, int nodes, int allowed) {
    assertThat(level(null, text).allowed(nodes)).isEqualTo(allowed);
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "0%", "00"})
  void whatNeverLetsANodeLeaveIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> level(null, text))
        .withMessageContaining("never lets a node leave");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1.5", "ten", "%", "10 %", "101%", "9999999999"})
  void whatIsNoLimitIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> level(null, text));
  }

  @Test
  void tellsHowEachDomainIsUsedAndWhichIsTightest() {
    TestCampaignFacts fleet =
        new TestCampaignFacts().zoned("a", "a1", "a2").zoned("b", "b1", "b2").cordoned("b2");
    DomainBudgets budgets = budgets(level(null, "3"), level(TestCampaignFacts.ZONE, "1"));

    assertThat(budgets.use(fleet.fleet()))
        .extracting(use -> use.domain() + " " + use.out() + "/" + use.allowed() + "/" + use.nodes())
        .containsExactly(
            "the cluster 1/3/4",
            "topology.kubernetes.io/zone=a 0/1/2",
            "topology.kubernetes.io/zone=b 1/1/2");
    assertThat(budgets.tightest(fleet.fleet()))
        .extracting(DomainUse::domain)
        .containsExactly("the cluster", "topology.kubernetes.io/zone=b");
  }

  @Test
  void aLongListOfNodesIsCut() {
    TestCampaignFacts fleet = TestCampaignFacts.of(20);
    for (int i = 1; i <= 9; i++) {
      fleet.cordoned("n-" + i);
    }

    assertThat(budgets(level(null, "9")).use(fleet.fleet()).getFirst().describe())
        .endsWith("n-5: cordoned and 4 more)");
  }

  private static Grants leave(
      DomainBudgets budgets, TestCampaignFacts fleet, String... candidates) {
    return budgets.mayLeave(fleet.fleet(), fleet.get(Arrays.asList(candidates)), ALL);
  }

  private static DomainUse refused(Grants grants, String node) {
    return Objects.requireNonNull(grants.refused().get(node));
  }

  private static List<FleetNode> nodes(int count) {
    TestCampaignFacts fleet = TestCampaignFacts.of(count);
    return IntStream.rangeClosed(1, count).mapToObj(i -> fleet.get("n-" + i)).toList();
  }

  private static DomainBudgets budgets(BudgetLevel... levels) {
    return new DomainBudgets(List.of(levels));
  }

  private static BudgetLevel level(@Nullable String key, String maxUnavailable) {
    return BudgetLevel.of(new DomainBudget(key, maxUnavailable));
  }
}
