package dev.drydock.drain.engine.decide;

import static dev.drydock.drain.engine.decide.TestFacts.NODE;
import static dev.drydock.drain.engine.decide.TestFacts.START;
import static dev.drydock.drain.engine.decide.TestFacts.at;
import static dev.drydock.drain.engine.decide.TestFacts.budget;
import static dev.drydock.drain.engine.decide.TestFacts.daemonSetPod;
import static dev.drydock.drain.engine.decide.TestFacts.pod;
import static dev.drydock.drain.engine.decide.TestFacts.s;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.drain.engine.decide.DrainPlan.ForceEffect;
import dev.drydock.drain.engine.decide.DrainPlan.Harm;
import dev.drydock.drain.engine.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.engine.decide.DrainPolicy.DaemonSets;
import dev.drydock.drain.hold.decide.NodeFacts;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlannerTest {
  private List<PodFacts> pods = List.of();
  private List<BudgetFacts> budgets = List.of();
  private DrainPolicy.Builder policy = DrainPolicy.builder();
  private Map<String, Duration> stopTimes = Map.of();

  private void pods(PodFacts.Builder... builders) {
    pods = Arrays.stream(builders).map(PodFacts.Builder::build).toList();
  }

  private void budgets(BudgetFacts.Builder... builders) {
    budgets = Arrays.stream(builders).map(BudgetFacts.Builder::build).toList();
  }

  private DrainPlan plan() {
    Observation seen =
        Observation.of(NodeFacts.cordoned(NODE), pods, budgets).withStopTimes(stopTimes);
    return Planner.plan(seen, policy.build(), START);
  }

  private static List<List<String>> names(List<List<PodRef>> waves) {
    return waves.stream().map(wave -> wave.stream().map(PodRef::name).toList()).toList();
  }

  @Test
  void wavesFollowTheBudgets() {
    pods(pod("a-1"), pod("a-2"), pod("a-3"), pod("b-1"), pod("b-2"), pod("c-1"), pod("c-2"));
    budgets(budget("a", 3, 2, 3), budget("b", 9, 7, 9));

    DrainPlan plan = plan();

    assertThat(names(plan.tiers().getFirst().waves()))
        .containsExactly(
            List.of("c-1", "c-2", "a-1", "b-1", "b-2"), List.of("a-2"), List.of("a-3"));
    assertThat(plan.possible()).isTrue();
    assertThat(plan.eta()).isEqualTo(new Eta(s(0), Optional.of(s(90))));
    assertThat(plan.eta().toString()).isEqualTo("0s to 1m30s");
  }

  @Test
  void whatRunsAndGoesOrIsRefusedIsLeft() {
    policy.daemonSets(DaemonSets.IGNORE);
    pods(
        pod("going"),
        pod("done").phase(PodFacts.Phase.SUCCEEDED),
        pod("bare").emptyDir(true),
        daemonSetPod("agent", new DaemonSetLookup.Exists()),
        daemonSetPod("unknown", new DaemonSetLookup.Failed("no answer")));

    assertThat(plan().left()).containsExactly("web/bare", "web/going", "web/unknown");
  }

  @Test
  void itIsKnownWhichAdviceNamesAFlag() {
    for (BlockReason reason : BlockReason.values()) {
      assertThat(reason.namesFlag()).as("%s", reason).isEqualTo(reason.next().contains("--"));
    }
    pods(pod("a-1"), pod("b-1"), pod("c-1").emptyDir(true));
    budgets(budget("a", 1, 1, 1), budget("b", 1, 1, 2));

    assertThat(Stream.concat(plan().blockers().stream(), plan().impossible().stream()))
        .hasSize(3)
        .allMatch(blocker -> blocker.namesFlag() == blocker.next().contains("--"))
        .allMatch(blocker -> !blocker.lineWithoutFlags().contains("; next: use --"));
  }

  @Test
  void tiersAddUp() {
    policy.daemonSets(DaemonSets.LAST);
    pods(
        pod("a").terminationGrace(s(60)),
        daemonSetPod("ds", new DaemonSetLookup.Exists()).terminationGrace(s(10)));

    DrainPlan plan = plan();

    assertThat(plan.tiers()).hasSize(2);
    assertThat(plan.tiers().getLast().tier().daemonSets()).isTrue();
    assertThat(plan.eta().atMost()).contains(s(70));
  }

  @Test
  void stopTimesSeenBeforeRaiseTheLowerBound() {
    pods(pod("a-1"), pod("a-2"));
    budgets(budget("a", 2, 1, 2));
    stopTimes = Map.of(TestFacts.REPLICA_SET.uid(), s(4));

    assertThat(plan().eta()).isEqualTo(new Eta(s(8), Optional.of(s(60))));
  }

  @Test
  void whatMayRunOnHasAnUpperBoundOnlyIfItSaysSoOrTheDeadlineDoes() {
    policy.waitForJobs(true);
    pods(pod("a").controller(TestFacts.JOB));
    assertThat(plan().eta().atMost()).isEmpty();
    assertThat(plan().eta().toString()).isEqualTo("unknown");
    assertThat(plan().tiers().getFirst().waiting()).containsExactly(pods.getFirst().ref());

    policy.deadline(s(300), AtDeadline.DELETE);
    assertThat(plan().eta().atMost()).contains(s(330));

    pods(pod("a").controller(TestFacts.JOB).started(at(-100)).activeDeadline(s(160)));
    assertThat(plan().eta().atMost()).contains(s(90));
  }

  @Test
  void jobsInsideAPodAreEndedWithAWarningOrWaitedFor() {
    pods(pod("slurmd-1").announcedEnd(at(600)));
    DrainPlan ending = plan();
    policy.waitForJobs(true);
    DrainPlan waiting = plan();

    assertThat(ending.eta().atMost()).contains(s(30));
    assertThat(ending.warnings())
        .containsExactly(
            "ending jobs that run inside Pods (use --wait-for-jobs to let them end): web/slurmd-1 (until 2026-03-01T10:10:00Z)");
    assertThat(waiting.eta().atMost()).contains(s(630));
    assertThat(waiting.warnings()).isEmpty();
    assertThat(waiting.blockers().getFirst().what())
        .isEqualTo("runs until it ends by itself, at the latest at 2026-03-01T10:10:00Z");
  }

  @Test
  void aBudgetThatIsFullNowOnlyBlocks() {
    pods(pod("a-1"));
    budgets(budget("a", 2, 2, 3));

    DrainPlan plan = plan();

    assertThat(plan.possible()).isTrue();
    assertThat(plan.blockers())
        .extracting(Blocker::reason)
        .containsExactly(BlockReason.DISRUPTION_BUDGET);
    assertThat(plan.eta().atMost()).isEmpty();
    assertThat(names(plan.tiers().getFirst().waves())).containsExactly(List.of("a-1"));
  }

  @Test
  void whatCanNeverGoIsToldWithTheReason() {
    pods(
        pod("a-1"),
        pod("b-1"),
        pod("c-1").pinned(true),
        pod("d-1").emptyDir(true),
        pod("e-1").finalizers(List.of("x/y")));
    budgets(
        budget("a", 3, 3, 3),
        budget("b", 9, 1, 9),
        BudgetFacts.named("web", "b2").selector(LabelSelector.matching("app", "b")));

    DrainPlan plan = plan();

    assertThat(plan.possible()).isFalse();
    assertThat(plan.impossible())
        .extracting(Blocker::reason)
        .containsExactly(
            BlockReason.LOCAL_STORAGE,
            BlockReason.DISRUPTION_BUDGET,
            BlockReason.SEVERAL_BUDGETS,
            BlockReason.COMES_BACK);
    assertThat(plan.impossible().get(1).what()).contains("3 healthy of 3 needed, and only 3 exist");
    assertThat(plan.blockers()).extracting(Blocker::reason).containsExactly(BlockReason.FINALIZER);
    assertThat(plan.tiers().getFirst().cannot())
        .extracting(PodRef::name)
        .containsExactly("a-1", "b-1");
  }

  @Test
  void aBudgetThatTimeDoesNotOpenIsNotAdvisedToBeWaitedFor() {
    pods(pod("a-1"), pod("b-1"), pod("c-1"));
    budgets(
        budget("a", 3, 3, 3),
        budget("b", 3, 3, 3).closed(true),
        budget("c", 0, 0, 0).syncFailure("no controller found"));

    assertThat(plan().impossible())
        .extracting(Blocker::next)
        .containsExactly(
            "add replicas or relax the budget: waiting does not help; or delete past it with"
                + " --disable-eviction or --force-after",
            "edit the budget: as it is, neither time nor replicas help; or delete past it with"
                + " --disable-eviction or --force-after",
            "fix that, or edit the budget; or delete past it with --disable-eviction or"
                + " --force-after");
    assertThat(plan().impossible().get(1).line()).contains("; next: edit the budget");
  }

  @Test
  void aPolicyThatForcesInTheEndMakesBudgetsPossible() {
    pods(pod("a-1"));
    budgets(budget("a", 3, 3, 3));
    policy.forceAfter(s(60));

    assertThat(plan().possible()).isTrue();
    assertThat(plan().blockers()).hasSize(1);
    assertThat(plan().eta().atMost()).contains(s(90));
  }

  @Test
  void podsLeftAloneAreFine() {
    policy.rule(PolicyRule.of(PolicyRule.Match.ANY, new EvictionMode.LeaveAlone()));
    pods(pod("a-1"), PodFacts.named("web", "bare", "u").on(NODE));
    budgets(budget("a", 3, 3, 3));

    assertThat(plan().possible()).isTrue();
    assertThat(plan().tiers()).isEmpty();
    assertThat(plan().eta()).isEqualTo(Eta.NONE);
    assertThat(plan().pods()).hasSize(2);
  }

  @Test
  void warningsAreGroupedAsKubectlPrintsThem() {
    policy.force(true).daemonSets(DaemonSets.IGNORE);
    pods(
        daemonSetPod("ds-1", new DaemonSetLookup.Exists()),
        daemonSetPod("ds-2", new DaemonSetLookup.Exists()),
        PodFacts.named("web", "bare", "u").on(NODE));

    assertThat(plan().warnings())
        .containsExactly(
            "deleting Pods that declare no controller: web/bare",
            "ignoring DaemonSet-managed Pods: web/ds-1, web/ds-2");
  }

  @Test
  void forceHasAPrice() {
    policy.waitForJobs(true);
    pods(
        PodFacts.named("web", "bare", "u").on(NODE),
        pod("a-1").emptyDir(true),
        pod("a-2"),
        pod("job").controller(TestFacts.JOB));
    budgets(budget("a", 3, 2, 3));

    List<ForceEffect> force = plan().force();

    assertThat(force)
        .extracting(ForceEffect::harm)
        .containsExactly(Harm.NOT_BROUGHT_BACK, Harm.DATA_LOST, Harm.CUT_SHORT, Harm.BUDGET_BROKEN);
    assertThat(force.getLast().line())
        .isEqualTo("budget web/a-pdb is broken: 1 healthy left of 2 needed");
  }

  @Test
  void unknownFactsGiveNoEta() {
    Observation unknown =
        Observation.of(NodeFacts.cordoned(NODE), List.of(), List.of()).unknown(List.of("pods"));

    DrainPlan plan = Planner.plan(unknown, DrainPolicy.defaults(), START);

    assertThat(plan.eta()).isEqualTo(Eta.UNKNOWN);
    assertThat(plan.blockers())
        .extracting(Blocker::reason)
        .containsExactly(BlockReason.NOT_OBSERVED);
  }

  @Test
  void everyPodThatGoesHasItsPlaceOnce() {
    pods =
        IntStream.range(0, 30).mapToObj(i -> pod((i % 3 == 0 ? "a-" : "b-") + i).build()).toList();
    budgets(budget("a", 20, 18, 20));

    DrainPlan plan = plan();

    assertThat(plan.tiers().getFirst().waves().stream().flatMap(List::stream))
        .containsExactlyInAnyOrderElementsOf(pods.stream().map(PodFacts::ref).toList());
    assertThat(plan.tiers().getFirst().waves()).hasSize(5);
  }
}
