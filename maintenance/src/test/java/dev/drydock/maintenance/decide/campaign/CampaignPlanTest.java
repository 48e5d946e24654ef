package dev.drydock.maintenance.decide.campaign;

import static dev.drydock.maintenance.decide.campaign.TestCampaignFacts.START;
import static dev.drydock.maintenance.decide.campaign.TestCampaignFacts.at;
import static dev.drydock.maintenance.decide.campaign.TestSpec.spec;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.maintenance.decide.campaign.CampaignPlan.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CampaignPlanTest {
  private static final Duration WORK = Duration.ofMinutes(10);

  @Test
  void nodesLeaveInOrderAndComeBackWhenWorkIsDone() {
    CampaignPlan plan =
        plan(
            TestCampaignFacts.of(3)
                .busyFor("n-1", 100)
                .campaign("c", spec().budget(null, "1").order(CampaignOrder.SOONEST)));

    assertThat(plan.steps())
        .containsExactly(
            new Step("n-2", at(0), at(0), at(10)),
            new Step("n-3", at(10), at(10), at(20)),
            new Step("n-1", at(56), at(100), at(110)));
    assertThat(plan.end()).contains(at(110));
    assertThat(plan.stuck()).isEmpty();
    assertThat(plan.assumptions())
        .containsExactly("no node fails, and each takes 10m once it is empty");
  }

  @Test
  void budgetUseIsToldOverTime() {
    CampaignPlan plan =
        plan(
            new TestCampaignFacts()
                .zoned("a", "a1", "a2")
                .zoned("b", "b1")
                .campaign("c", spec().budget(null, "2").budget(TestCampaignFacts.ZONE, "1")));

    assertThat(plan.use())
        .extracting(
            moment ->
                moment.at()
                    + " "
                    + moment.out()
                    + " "
                    + moment.tightest().stream()
                        .map(use -> use.out() + "/" + use.allowed())
                        .toList())
        .containsExactly(
            at(0) + " 2 [2/2, 1/1]", at(10) + " 1 [1/2, 1/1]", at(20) + " 0 [0/2, 0/1]");
  }

  @Test
  void windowsAndSoakTakeTheirTime() {
    CampaignPlan plan =
        plan(
            TestCampaignFacts.of(3)
                .campaign("c", spec().window("0 22 * * *", "20m", null).canary(1, null, 600)));

    Instant opens = Instant.parse("2026-03-04T22:00:00Z");
    assertThat(plan.steps())
        .extracting(Step::leaves)
        .as("the canary is back after 10 and watched for 10 minutes: the window is over")
        .containsExactly(opens, opens.plus(Duration.ofDays(1)), opens.plus(Duration.ofDays(1)));
  }

  @Test
  void approvalPauseAndCordAreTakenForGiven() {
    CampaignPlan plan =
        plan(TestCampaignFacts.of(1).campaign("c", spec().approval().paused()).andonCord("smoke"));

    assertThat(plan.steps()).hasSize(1);
    assertThat(plan.assumptions())
        .contains(
            "the campaign is approved now",
            "the campaign is resumed now",
            "the andon cord is released now");
  }

  @Test
  void nodesThatAreOutComeBackFirst() {
    CampaignPlan plan =
        plan(
            TestCampaignFacts.of(2)
                .campaign("c", spec().budget(null, "1"))
                .held("n-2", "c")
                .departed("n-2", "c")
                .progress("c", "n-2", NodeProgress.inFlight(at(-5))));

    assertThat(plan.steps())
        .containsExactly(
            new Step("n-2", at(-5), at(0), at(10)), new Step("n-1", at(10), at(10), at(20)));
  }

  @Test
  void otherCampaignsTakeTheirShare() {
    CampaignPlan plan =
        plan(
            TestCampaignFacts.of(2)
                .campaign("c", spec().budget(null, "1"))
                .campaign("other", spec().budget(null, "1").priority(1)));

    assertThat(plan.steps())
        .extracting(Step::leaves)
        .as("the other one has both nodes first")
        .containsExactly(at(20), at(30));
  }

  @Test
  void whatCannotGoOnSaysWhy() {
    CampaignPlan plan = plan(TestCampaignFacts.of(2).notReady("n-2").campaign("c", spec()));

    assertThat(plan.steps()).extracting(Step::node).containsExactly("n-1");
    assertThat(plan.end()).isEmpty();
    assertThat(plan.stuck())
        .extracting(DepartureWait::reason)
        .containsExactly(WaitReason.NODE_NOT_READY);
  }

  @Test
  void aNightlyWindowDoesNotKeepAPlanFromEnding() {
    CampaignPlan plan =
        plan(
            TestCampaignFacts.of(2)
                .notReady("n-2")
                .campaign("c", spec().window("0 22 * * *", "1h", null))
                .campaign("d", spec().window("0 23 * * *", "1h", null)));

    assertThat(plan.steps()).hasSize(1);
    assertThat(plan.end()).isEmpty();
  }

  /** Each with racks of its own, and as long as a plan of its own says. */
  @Test
  void oneForecastTellsTheEndsOfAllCampaigns() {
    TestCampaignFacts fleet = new TestCampaignFacts();
    for (int campaign = 1; campaign <= 5; campaign++) {
      for (int node = 1; node <= campaign; node++) {
        fleet.node("n-%d-%d".formatted(campaign, node), Map.of("rack", "r" + campaign));
      }
      fleet.campaign("c" + campaign, spec().on("rack", "r" + campaign).batches(1, 1.0, 1));
    }
    CampaignFacts facts = fleet.facts();
    Map<String, Duration> work =
        Map.of(
            "c1",
            WORK,
            "c2",
            WORK,
            "c3",
            WORK.multipliedBy(2),
            "c4",
            WORK,
            "c5",
            WORK.dividedBy(2));

    CampaignPlan.Ends ends = CampaignPlan.ends(facts, work, START);

    work.forEach(
        (campaign, time) ->
            assertThat(ends.byCampaign().get(campaign))
                .as(campaign)
                .isEqualTo(CampaignPlan.of(facts, campaign, time, START).end().orElseThrow()));
    assertThat(ends.byCampaign()).containsEntry("c3", at(60)).containsEntry("c5", at(25));
  }

  @Test
  void campaignsThatAreOverOrAtRestCostNothing() {
    TestCampaignFacts fleet = TestCampaignFacts.of(20).campaign("c", spec().budget(null, "1"));
    long alone = CampaignPlan.ends(fleet.facts(), Map.of("c", WORK), START).looks();
    for (int i = 0; i < 100; i++) {
      fleet.campaign("paused-" + i, spec().paused()).campaign("none-" + i, spec().on("no", "node"));
    }

    CampaignPlan.Ends ends = CampaignPlan.ends(fleet.facts(), Map.of("c", WORK), START);

    assertThat(ends.byCampaign()).containsEntry("c", at(200));
    assertThat(ends.looks()).isLessThan(alone + 100 * 20 * 25);
  }

  @Test
  void planningChangesNothingAndRepeats() {
    TestCampaignFacts fleet = TestCampaignFacts.of(50).campaign("c", spec().budget(null, "10%"));
    CampaignFacts facts = fleet.facts();

    assertThat(CampaignPlan.of(facts, "c", WORK, START))
        .isEqualTo(CampaignPlan.of(facts, "c", WORK, START));
    assertThat(facts).usingRecursiveComparison().isEqualTo(fleet.facts());
  }

  @Test
  void anUnknownCampaignIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CampaignPlan.of(TestCampaignFacts.of(1).facts(), "x", WORK, START))
        .withMessage("there is no campaign named \"x\"");
  }

  private static CampaignPlan plan(TestCampaignFacts fleet) {
    return CampaignPlan.of(fleet.facts(), "c", WORK, START);
  }
}
