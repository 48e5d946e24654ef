package dev.drydock.maintenance.decide.campaign;

import static dev.drydock.maintenance.decide.campaign.TestCampaignFacts.START;
import static dev.drydock.maintenance.decide.campaign.TestCampaignFacts.at;
import static dev.drydock.maintenance.decide.campaign.TestSpec.anyClass;
import static dev.drydock.maintenance.decide.campaign.TestSpec.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.v1alpha1.CampaignOrder;
import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.contracts.v1alpha1.DomainBudget;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus.Counts;
import dev.drydock.maintenance.decide.campaign.CampaignDecision.Upcoming;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CampaignDeciderTest {
  private static final Instant NOW = at(60);

  @Test
  void startsWhatBudgetsAllowAndTellsWhatComesNext() {
    CampaignDecision decision =
        TestCampaignFacts.of(3)
            .busyFor("n-2", 90)
            .campaign("c", spec().budget(null, "1").order(CampaignOrder.SOONEST))
            .decide(NOW);

    assertThat(decision.phase()).isEqualTo(CampaignPhase.Running);
    assertThat(decision.start()).containsExactly("n-1");
    assertThat(decision.next())
        .containsExactly(
            new Upcoming("n-3", Duration.ZERO), new Upcoming("n-2", Duration.ofMinutes(30)));
    assertThat(decision.counts()).isEqualTo(new Counts(3, 3, 0, 0, 0));
    assertThat(waits(decision))
        .containsExactly(
            "BUDGET_FULL the cluster: 1 of at most 1 out (n-1: leaving now); 2 nodes wait for it");
    assertThat(decision.wakeAt()).isEmpty();
  }

  @Test
  void aBusyNodeStaysInServiceUntilItHasWaitedLongEnough() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(2)
            .busyFor("n-1", 300)
            .campaign("c", spec().order(CampaignOrder.SOONEST));

    CampaignDecision decision = fleet.decide(at(0));
    assertThat(decision.start()).containsExactly("n-2");
    assertThat(waits(decision))
        .containsExactly(
            "NODE_BUSY busy nodes stay in service until their work has ended or they have waited"
                + " longer (spec.patience): n-1: 5h");
    assertThat(decision.wakeAt())
        .as("then 84 minutes are left, and 30 + 216 / 4 is patience")
        .contains(at(216));
    assertThat(fleet.decide(at(215)).start()).doesNotContain("n-1");
    assertThat(fleet.decide(at(216)).start()).contains("n-1");
  }

  @Test
  void whatCanNeverDrainStaysInServiceAndSaysWhy() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(2)
            .stuck("n-1", "ops/db-0: its budget never allows it")
            .campaign("c", spec().order(null));

    CampaignDecision decision = fleet.decide(at(0));

    assertThat(decision.start()).containsExactly("n-2");
    assertThat(decision.next()).extracting(next -> next.node()).containsExactly("n-1");
    assertThat(decision.waits())
        .extracting(wait -> wait.reason() + " " + wait.message())
        .containsExactly(
            "NODE_CANNOT_DRAIN nodes that can never drain as they are stay in service: n-1:"
                + " ops/db-0: its budget never allows it");
  }

  @Test
  void withoutABudgetOneNodeLeavesAtATime() {
    TestCampaignFacts fleet = TestCampaignFacts.of(3).campaign("c", spec().withoutBudgets());

    CampaignDecision decision = fleet.decide(at(0));

    assertThat(decision.start()).containsExactly("n-1");
    assertThat(decision.waits())
        .extracting(wait -> wait.reason())
        .containsExactly(WaitReason.BUDGET_FULL);
  }

  @Test
  void patienceIsGivenAndOnlySoonestHasIt() {
    TestCampaignFacts fleet = TestCampaignFacts.of(1).busyFor("n-1", 300);

    assertThat(fleet.campaign("c", spec().order(null).patience("5h")).decide(at(0)).start())
        .containsExactly("n-1");
    assertThat(fleet.campaign("c", spec().order(null).patience("4h")).decide(at(0)).start())
        .isEmpty();
    for (CampaignOrder order : List.of(CampaignOrder.NAME, CampaignOrder.AGE, CampaignOrder.ZONE)) {
      assertThat(fleet.campaign("c", spec().order(order)).decide(at(0)).start())
          .containsExactly("n-1");
    }
  }

  @Test
  void aNodeThatIsBusyForEverIsTakenWithinFourDays() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(1).campaign("c", spec().order(null)).busyFor("n-1", 999_999);

    assertThat(fleet.decide(at(4 * 24 * 60 - 3 * 60)).start()).isEmpty();
    assertThat(fleet.decide(at(4 * 24 * 60)).start()).containsExactly("n-1");
  }

  @Test
  void soonestIsTheDefaultOrder() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(2)
            .busyFor("n-1", 90)
            .campaign("c", spec().order(null).budget(null, "1"));

    assertThat(fleet.decide(NOW).start()).containsExactly("n-2");
  }

  @Test
  void whatIsDoneOrOutOrFailedIsNotStartedAgain() {
    CampaignDecision decision =
        TestCampaignFacts.of(5)
            .campaign("c", spec().stopOnFailures(2))
            .progress("c", "n-1", NodeProgress.done(START, at(1)))
            .progress("c", "n-2", NodeProgress.inFlight(START))
            .progress("c", "n-3", NodeProgress.failed(START, at(1), "fan"))
            .departed("n-4", "c")
            .decide(NOW);

    assertThat(decision.start()).containsExactly("n-5");
    assertThat(decision.counts())
        .as("n-4 was allowed to leave, even if nothing more is seen of it")
        .isEqualTo(new Counts(5, 1, 2, 1, 1));
  }

  @Test
  void nodesAreThoseThatFitTheSelectorNow() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(2)
            .zoned("a", "a1")
            .campaign("c", spec().on(TestCampaignFacts.ZONE, "a"));
    assertThat(fleet.decide(NOW).start()).containsExactly("a1");

    fleet.progress("c", "a1", NodeProgress.done(START, NOW));
    assertThat(fleet.decide(NOW).phase()).isEqualTo(CampaignPhase.Completed);

    fleet.zoned("a", "n-1");
    assertThat(fleet.decide(NOW).start()).containsExactly("n-1");
  }

  @Test
  void aNodeThatLostItsLabelWhileOutStillCounts() {
    CampaignDecision decision =
        TestCampaignFacts.of(1)
            .campaign("c", spec().on(TestCampaignFacts.ZONE, "a"))
            .progress("c", "n-1", NodeProgress.inFlight(START))
            .decide(NOW);

    assertThat(decision.phase()).isEqualTo(CampaignPhase.Running);
    assertThat(decision.counts()).isEqualTo(new Counts(1, 0, 1, 0, 0));
  }

  @Test
  void nodesThatOthersKeepOutAreLeftAlone() {
    CampaignDecision decision =
        TestCampaignFacts.of(5)
            .notReady("n-1")
            .cordoned("n-2")
            .held("n-3", "drain/ops/x")
            .departed("n-4", "other")
            .campaign("c", spec())
            .decide(NOW);

    assertThat(decision.start()).containsExactly("n-5");
    assertThat(waits(decision))
        .containsExactly(
            "NODE_NOT_READY 1 node waits until back in service: n-1: not ready",
            "NODE_KEPT_OUT 3 nodes wait until back in service: n-2: cordoned, n-3: held by"
                + " drain/ops/x, n-4: leaving for campaign other");
  }

  @Test
  void withoutNodesItWaits() {
    CampaignDecision decision = new TestCampaignFacts().campaign("c", spec()).decide(NOW);

    assertThat(decision.phase()).isEqualTo(CampaignPhase.Waiting);
    assertThat(waits(decision)).containsExactly("NO_NODES no node fits spec.nodeSelector");
  }

  @Test
  void isOverWhenNothingIsLeft() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(2)
            .campaign("c", spec().stopOnFailures(9))
            .progress("c", "n-1", NodeProgress.done(START, at(1)))
            .progress("c", "n-2", NodeProgress.done(START, at(1)));
    assertThat(fleet.decide(NOW).phase()).isEqualTo(CampaignPhase.Completed);
    assertThat(fleet.decide(NOW).waits()).isEmpty();

    fleet.progress("c", "n-2", NodeProgress.failed(START, at(1), "fan"));
    assertThat(fleet.decide(NOW).phase()).isEqualTo(CampaignPhase.Incomplete);
  }

  @Test
  void approvalComesFirst() {
    TestCampaignFacts fleet = TestCampaignFacts.of(1).campaign("c", spec().approval().paused());

    CampaignDecision before = fleet.decide(NOW);
    assertThat(before.phase()).isEqualTo(CampaignPhase.AwaitingApproval);
    assertThat(before.start()).isEmpty();
    assertThat(waits(before))
        .containsExactly("APPROVAL_NEEDED waiting for approval: drydock campaign approve c");

    assertThat(fleet.approved("c", "alice").decide(NOW).phase()).isEqualTo(CampaignPhase.Paused);
  }

  @Test
  void pauseStartsNothingAndKeepsWhatIsOut() {
    CampaignDecision decision =
        TestCampaignFacts.of(2)
            .campaign("c", spec().paused())
            .progress("c", "n-1", NodeProgress.inFlight(START))
            .decide(NOW);

    assertThat(decision.phase()).isEqualTo(CampaignPhase.Paused);
    assertThat(decision.start()).isEmpty();
    assertThat(decision.counts().inFlight()).isOne();
    assertThat(decision.next()).extracting(Upcoming::node).containsExactly("n-2");
  }

  @Test
  void theAndonCordStopsEveryCampaign() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(4)
            .campaign("a", spec())
            .campaign("b", spec())
            .andonCord("alice: smoke");

    assertThat(CampaignDecider.decide(fleet.facts(), NOW))
        .allSatisfy(
            decision -> {
              assertThat(decision.phase()).isEqualTo(CampaignPhase.Paused);
              assertThat(decision.start()).isEmpty();
              assertThat(waits(decision))
                  .containsExactly("ANDON_CORD the andon cord is pulled: alice: smoke");
            });
  }

  @Test
  void aStoppedCampaignStartsNothingEvenIfApprovalIsMissing() {
    CampaignDecision decision =
        TestCampaignFacts.of(1).campaign("c", spec().stopped().approval()).decide(NOW);

    assertThat(decision.phase()).isEqualTo(CampaignPhase.Stopped);
    assertThat(decision.start()).isEmpty();
  }

  @Test
  void oneFailureHaltsUnlessMoreAreTolerated() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(4)
            .campaign("c", spec())
            .progress("c", "n-1", NodeProgress.failed(START, at(1), "fan"));
    CampaignDecision halted = fleet.decide(NOW);
    assertThat(halted.phase()).isEqualTo(CampaignPhase.Halted);
    assertThat(waits(halted))
        .containsExactly(
            "FAILURES 1 failed, and it halts at 1: n-1 (fan); repair them and delete their maintenances, or raise spec.stopOnFailures");

    TestCampaignFacts tolerant =
        TestCampaignFacts.of(4)
            .campaign("c", spec().stopOnFailures(2))
            .progress("c", "n-1", NodeProgress.failed(START, at(1), "fan"));
    assertThat(tolerant.decide(NOW).start()).containsExactly("n-2", "n-3", "n-4");
    tolerant.progress("c", "n-2", NodeProgress.failed(START, at(1), ""));
    assertThat(tolerant.decide(NOW).phase()).isEqualTo(CampaignPhase.Halted);
  }

  @Test
  void aFailedCanaryHaltsHoweverMuchIsTolerated() {
    CampaignDecision decision =
        TestCampaignFacts.of(4)
            .campaign("c", spec().stopOnFailures(3).canary(1, null, 0))
            .progress("c", "n-1", NodeProgress.failed(START, at(1), "fan"))
            .decide(NOW);

    assertThat(decision.phase()).isEqualTo(CampaignPhase.Halted);
    assertThat(waits(decision).getFirst())
        .startsWith("CANARY_FAILED canary nodes failed: n-1 (fan)");
  }

  @Test
  void waitsForTheWindowAndWakesWhenItOpens() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(2).campaign("c", spec().window("0 22 * * *", "2h", null));

    CampaignDecision closed = fleet.decide(NOW);
    assertThat(closed.phase()).isEqualTo(CampaignPhase.Waiting);
    assertThat(closed.start()).isEmpty();
    assertThat(closed.wakeAt()).contains(Instant.parse("2026-03-04T22:00:00Z"));
    assertThat(waits(closed))
        .containsExactly("WINDOW_CLOSED the next window opens at 2026-03-04T22:00:00Z");

    assertThat(fleet.decide(Instant.parse("2026-03-04T22:00:00Z")).start()).hasSize(2);
  }

  @Test
  void aClosedWindowLeavesAloneWhatIsOut() {
    CampaignDecision decision =
        TestCampaignFacts.of(2)
            .campaign("c", spec().window("0 22 * * *", "2h", null))
            .progress("c", "n-1", NodeProgress.inFlight(START))
            .decide(NOW);

    assertThat(decision.phase()).isEqualTo(CampaignPhase.Running);
  }

  @Test
  void aWindowThatNeverOpensIsSaid() {
    CampaignDecision decision =
        TestCampaignFacts.of(1).campaign("c", spec().window("0 0 30 2 *", "2h", null)).decide(NOW);

    assertThat(decision.waits())
        .extracting(DepartureWait::reason)
        .containsExactly(WaitReason.NEVER_OPENS);
    assertThat(decision.wakeAt()).isEmpty();
  }

  @Test
  void batchesAndBudgetsHoldTogether() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(20).campaign("c", spec().budget(null, "3").batches(2, 2.0, null));
    assertThat(fleet.decide(NOW).start()).containsExactly("n-1", "n-2");

    fleet
        .progress("c", "n-1", NodeProgress.done(START, at(1)))
        .progress("c", "n-2", NodeProgress.done(START, at(1)));
    assertThat(fleet.decide(NOW).start())
        .as("the batch has four, the budget three")
        .containsExactly("n-3", "n-4", "n-5");

    fleet.progress("c", "n-3", NodeProgress.done(START, at(1)));
    for (String node : List.of("n-4", "n-5", "n-6")) {
      fleet.progress("c", node, NodeProgress.inFlight(START)).held(node, "c");
    }
    assertThat(waits(fleet.decide(NOW)))
        .containsExactly(
            "BATCH_RUNNING batch 3 of 8 nodes begins when the 3 nodes that are out are back");
  }

  @Test
  void soakIsWaitedForWithAWakeUp() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(3)
            .campaign("c", spec().canary(1, null, 600))
            .progress("c", "n-1", NodeProgress.done(START, at(58)));

    assertThat(fleet.decide(NOW).wakeAt()).contains(at(68));
    assertThat(fleet.decide(at(68)).start()).containsExactly("n-2", "n-3");
  }

  @Test
  void oneZoneIsFinishedBeforeTheNextBegins() {
    TestCampaignFacts fleet =
        new TestCampaignFacts()
            .zoned("a", "a1", "a2")
            .zoned("b", "b1")
            .campaign("c", spec().order(CampaignOrder.ZONE));
    assertThat(fleet.decide(NOW).start()).containsExactly("a1", "a2");

    fleet
        .progress("c", "a1", NodeProgress.done(START, at(1)))
        .progress("c", "a2", NodeProgress.inFlight(START));
    assertThat(fleet.decide(NOW).start()).isEmpty();
    assertThat(waits(fleet.decide(NOW)))
        .containsExactly("ZONE_RUNNING zone b comes when the nodes of zone a are back");

    fleet.progress("c", "a2", NodeProgress.done(START, at(1)));
    assertThat(fleet.decide(NOW).start()).containsExactly("b1");
  }

  @Test
  void aNodeThatCannotLeaveDoesNotHoldItsZoneUp() {
    TestCampaignFacts fleet =
        new TestCampaignFacts()
            .zoned("a", "a1")
            .zoned("b", "b1")
            .notReady("a1")
            .campaign("c", spec().order(CampaignOrder.ZONE));

    assertThat(fleet.decide(NOW).start()).containsExactly("b1");
  }

  @Test
  void budgetsOfClassAndOperatorHoldToo() {
    TestCampaignFacts fleet = TestCampaignFacts.of(9).campaign("c", spec().budget(null, "5"));
    CampaignState plain = fleet.state("c");
    fleet.replace(
        new CampaignState(
            "c",
            "c",
            plain.created(),
            plain.spec(),
            Optional.of(anyClass(new DomainBudget(null, "3"))),
            Optional.empty(),
            Map.of()));
    assertThat(fleet.decide(NOW).start()).hasSize(3);

    assertThat(fleet.budget(null, "2").decide(NOW).start()).hasSize(2);
  }

  @Test
  void theHigherPriorityChoosesFirst() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(4)
            .campaign("low", spec().budget(null, "3"))
            .campaign("high", spec().budget(null, "2").priority(5));

    List<CampaignDecision> decisions = CampaignDecider.decide(fleet.facts(), NOW);

    assertThat(decisions).extracting(CampaignDecision::campaign).containsExactly("high", "low");
    assertThat(decisions.get(0).start()).containsExactly("n-1", "n-2");
    assertThat(decisions.get(1).start())
        .as("one is left of three, and what leaves for another is left alone")
        .containsExactly("n-3");
  }

  @Test
  void ofEqualPriorityTheOlderChoosesFirst() {
    TestCampaignFacts fleet =
        TestCampaignFacts.of(1)
            .campaign("z-older", spec())
            .campaign("a-younger", spec().priority(0));

    assertThat(fleet.decide("z-older", NOW).start()).containsExactly("n-1");
    assertThat(fleet.decide("a-younger", NOW).start()).isEmpty();
  }

  @Test
  void withoutItsClassACampaignIsInvalid() {
    TestCampaignFacts fleet = TestCampaignFacts.of(1).campaign("c", spec());
    CampaignState plain = fleet.state("c");
    fleet.replace(
        new CampaignState(
            "c", "c", plain.created(), plain.spec(), Optional.empty(), Optional.empty(), Map.of()));

    CampaignDecision decision = fleet.decide(NOW);

    assertThat(decision.phase()).isEqualTo(CampaignPhase.Invalid);
    assertThat(decision.start()).isEmpty();
    assertThat(waits(decision))
        .containsExactly("INVALID spec.maintenanceClass: no MaintenanceClass is named \"any\"");
  }

  @Test
  void whatCannotBeReadIsInvalidAndStartsNothing() {
    CampaignDecision decision =
        TestCampaignFacts.of(1).campaign("c", spec().budget(null, "0")).decide(NOW);

    assertThat(decision.phase()).isEqualTo(CampaignPhase.Invalid);
    assertThat(decision.start()).isEmpty();
    assertThat(waits(decision).getFirst())
        .startsWith("INVALID spec.budgets[0].maxUnavailable: 0 never lets a node leave");
  }

  private static List<String> waits(CampaignDecision decision) {
    return decision.waits().stream().map(wait -> wait.reason() + " " + wait.message()).toList();
  }
}
