package dev.drydock.drain.engine.decide;

import static dev.drydock.drain.engine.decide.DrainVariants.inTier;
import static dev.drydock.drain.engine.decide.DrainVariants.seeing;
import static dev.drydock.drain.engine.decide.DrainVariants.taintedOutOfService;
import static dev.drydock.drain.engine.decide.DrainVariants.withGrace;
import static dev.drydock.drain.engine.decide.TestFacts.NODE;
import static dev.drydock.drain.engine.decide.TestFacts.START;
import static dev.drydock.drain.engine.decide.TestFacts.at;
import static dev.drydock.drain.engine.decide.TestFacts.budget;
import static dev.drydock.drain.engine.decide.TestFacts.daemonSetPod;
import static dev.drydock.drain.engine.decide.TestFacts.pod;
import static dev.drydock.drain.engine.decide.TestFacts.s;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.LabelSelector;
import dev.drydock.drain.engine.decide.Action.Delete;
import dev.drydock.drain.engine.decide.Action.Evict;
import dev.drydock.drain.engine.decide.Action.ForceDelete;
import dev.drydock.drain.engine.decide.Action.OnPod;
import dev.drydock.drain.engine.decide.Action.TaintOutOfService;
import dev.drydock.drain.engine.decide.Action.Why;
import dev.drydock.drain.engine.decide.Attempt.Granted;
import dev.drydock.drain.engine.decide.Attempt.InFlight;
import dev.drydock.drain.engine.decide.Attempt.Refused;
import dev.drydock.drain.engine.decide.BudgetFacts.UnhealthyPods;
import dev.drydock.drain.engine.decide.Decision.Status;
import dev.drydock.drain.engine.decide.DrainPolicy.AtDeadline;
import dev.drydock.drain.engine.decide.DrainPolicy.DaemonSets;
import dev.drydock.drain.engine.decide.DrainPolicy.Unreachable;
import dev.drydock.drain.engine.decide.PodFacts.Phase;
import dev.drydock.drain.hold.decide.NodeFacts;
import dev.drydock.drain.hold.decide.NodeWork;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DrainDeciderTest {
  private NodeFacts node = NodeFacts.cordoned(NODE);
  private List<PodFacts> pods = List.of();
  private List<BudgetFacts> budgets = List.of();
  private Attempts attempts = Attempts.none();
  private DrainPolicy.Builder policy = DrainPolicy.builder();

  private Observation seen() {
    return Observation.of(node, pods, budgets);
  }

  private Decision decideAt(Instant now) {
    return DrainDecider.decide(seen(), attempts, policy.build(), START, now);
  }

  private void pods(PodFacts.Builder... builders) {
    pods = Arrays.stream(builders).map(PodFacts.Builder::build).toList();
  }

  private void budgets(BudgetFacts.Builder... builders) {
    budgets = Arrays.stream(builders).map(BudgetFacts.Builder::build).toList();
  }

  private Decision decideWith(PodProof proof, Instant now) {
    return DrainDecider.decide(seen().proof(proof), attempts, policy.build(), START, now);
  }

  /** Records the decided requests as sent and answered at the same time. */
  private void answerAll(Instant now, EvictionAnswer answer) {
    for (Action action : decideAt(now).actions()) {
      attempts = attempts.with(Attempt.answered(action, answer, now));
    }
  }

  private static List<String> targets(Decision decision) {
    return decision.actions().stream()
        .map(action -> action instanceof OnPod on ? on.pod().name() : action.target())
        .toList();
  }

  private static List<BlockReason> reasons(Decision decision) {
    return decision.blockers().stream().map(Blocker::reason).toList();
  }

  private static final EvictionAnswer NO_ROOM =
      new EvictionAnswer.RefusedByBudget("needs 2 and has 2", Optional.empty());

  /** A maintenance's own Job works on the node that somebody drains. */
  @Nested
  class WorkOnTheNode {
    private static final String HOLDER = "notifymaintenance/ops/fw-1";
    private static final String NAME = "fw-1-work-1-abcde";
    private static final Owner WORK = new Owner("batch/v1", "Job", NAME, "job-uid");

    private static PodFacts.Builder pod(String namespace, String name, Owner owner) {
      return PodFacts.named(namespace, name, "uid-" + name)
          .on(NODE)
          .controller(owner)
          .created(START.minusSeconds(60));
    }

    private void names(String uid) {
      node = node.worked(List.of(new NodeWork(HOLDER, "ops", NAME, uid)));
    }

    @Test
    void isWaitedForAndNamed() {
      names("job-uid");
      pods(pod("ops", "worker", WORK), TestFacts.pod("a"));

      Decision decision = decideAt(START);

      assertThat(decision.status()).isEqualTo(Status.BLOCKED);
      assertThat(decision.actions()).isEmpty();
      assertThat(decision.blockers())
          .singleElement()
          .satisfies(
              blocker -> {
                assertThat(blocker.reason()).isEqualTo(BlockReason.NODE_WORK);
                assertThat(blocker.facts())
                    .isEqualTo(
                        "ops/worker: Job ops/" + NAME + " of " + HOLDER + " works on the node");
              });
    }

    @Test
    void isNamedBeforeItsUidIsKnown() {
      names("");
      pods(pod("ops", "worker", WORK));

      assertThat(reasons(decideAt(START))).containsExactly(BlockReason.NODE_WORK);
    }

    /** Also the tier, the mode and every escalation leave it alone; the others go. */
    @Test
    void isNotKilledPastAnyDeadline() {
      names("job-uid");
      pods(pod("ops", "worker", WORK), TestFacts.pod("a"));
      for (AtDeadline then : List.of(AtDeadline.DELETE, AtDeadline.FORCE_DELETE)) {
        policy = DrainPolicy.builder().force(true).deadline(s(60), then).forceAfter(s(30));

        Decision decision = decideAt(at(61));

        assertThat(targets(decision)).as("at the deadline %s", then).containsExactly("a");
        assertThat(reasons(decision)).contains(BlockReason.NODE_WORK);
      }
    }

    @Test
    void isNotKilledWithItsUnreachableNode() {
      names("job-uid");
      node = node.unreachable(START);
      pods(pod("ops", "worker", WORK), TestFacts.pod("a").terminating(START.plusSeconds(1), s(30)));
      policy =
          DrainPolicy.builder()
              .unreachable(new Unreachable(Unreachable.Action.OUT_OF_SERVICE_TAINT, s(1)))
              .forceAfter(s(2));

      assertThat(decideAt(at(3600)).actions()).noneMatch(TaintOutOfService.class::isInstance);
    }

    @Test
    void goesOnceItHasFinished() {
      names("job-uid");
      pods(pod("ops", "worker", WORK).phase(Phase.SUCCEEDED));

      assertThat(targets(decideAt(START))).containsExactly("worker");
    }

    /**
     * A drain waits only for the pods of the Job that the hold names, not for those labelled so.
     */
    @Test
    void isNotFeigned() {
      names("job-uid");
      Owner another = new Owner("batch/v1", "Job", NAME, "another-uid");
      Owner namesake = new Owner("batch/v1", "Job", "fw-1-work-2-abcde", "job-uid");
      Owner crafted = new Owner("example.com/v1", "Job", NAME, "job-uid");
      pods(
          pod("tenant", "elsewhere", WORK),
          pod("ops", "another", another),
          pod("ops", "namesake", namesake),
          pod("ops", "crafted", crafted),
          TestFacts.pod("labelled").labels(Map.of("drydock.dev/maintenance", "uid")));

      assertThat(targets(decideAt(START)))
          .containsExactlyInAnyOrder("elsewhere", "another", "namesake", "crafted", "labelled");
    }

    @Test
    void isAWaitAndNotAnImpossibilityInAPlan() {
      names("job-uid");
      pods(pod("ops", "worker", WORK));

      DrainPlan plan = Planner.plan(seen(), policy.build(), START);

      assertThat(plan.impossible()).isEmpty();
      assertThat(plan.blockers())
          .extracting(Blocker::reason)
          .containsExactly(BlockReason.NODE_WORK);
    }
  }

  @Nested
  class Done {
    @Test
    void whenNothingHasToGo() {
      pods(
          daemonSetPod("ds", new DaemonSetLookup.Exists()),
          pod("static").mirror(true).controller(new Owner("v1", "Node", NODE, "u")));
      policy.daemonSets(DaemonSets.IGNORE);

      Decision decision = decideAt(START);

      assertThat(decision.status()).isEqualTo(Status.DONE);
      assertThat(decision.wakeAt()).isEmpty();
      assertThat(decision.eta()).isEqualTo(Eta.NONE);
    }

    @Test
    void neverWhileSomethingIsUnknown() {
      Observation unknown = seen().unknown(List.of("pods of node n1"));

      Decision decision = DrainDecider.decide(unknown, attempts, policy.build(), START, START);

      assertThat(decision.status()).isEqualTo(Status.BLOCKED);
      assertThat(decision.blockers().getFirst().line())
          .isEqualTo(
              "not observed yet: pods of node n1; next: nothing: it continues when the API server has answered");
    }

    @Test
    void neverWhileADaemonSetCouldNotBeLookedUp() {
      pods(daemonSetPod("ds", new DaemonSetLookup.Failed("timeout")), pod("a"));
      policy.daemonSets(DaemonSets.IGNORE);

      Decision decision = decideAt(START);

      assertThat(decision.status()).isEqualTo(Status.BLOCKED);
      assertThat(decision.actions()).isEmpty();
      assertThat(reasons(decision)).containsExactly(BlockReason.DAEMON_SET_UNKNOWN);
    }

    @Test
    void aPodWithAnUnknownOwnerHoldsUpAllUntilTheDrainIsForced() {
      pods(pod("a"), pod("odd"));
      policy.deadline(s(60), AtDeadline.FORCE_DELETE);
      String odd = pods.getLast().uid();
      Observation unknown = seen().unknownPods(Map.of(odd, "the owner of pod ns/odd"));

      Decision before = DrainDecider.decide(unknown, attempts, policy.build(), START, at(59));
      Decision after = DrainDecider.decide(unknown, attempts, policy.build(), START, at(60));

      assertThat(before.actions()).isEmpty();
      assertThat(before.status()).isEqualTo(Status.BLOCKED);
      assertThat(before.wakeAt()).contains(at(60));
      assertThat(targets(after)).containsExactly("a");
      assertThat(reasons(after)).contains(BlockReason.NOT_OBSERVED);
    }

    @Test
    void neverWhileSomethingAboutAPodIsUnknownEvenIfForced() {
      policy.deadline(s(60), AtDeadline.FORCE_DELETE);
      Observation unknown = seen().unknownPods(Map.of("ns/x", "pod ns/x (it cannot be read)"));

      Decision after = DrainDecider.decide(unknown, attempts, policy.build(), START, at(60));

      assertThat(after.status()).isEqualTo(Status.BLOCKED);
    }

    @Test
    void aDaemonSetThatCannotBeLookedUpHoldsUpOnlyItsOwnPodOnceTheDrainIsForced() {
      pods(daemonSetPod("ds", new DaemonSetLookup.Failed("timeout")), pod("a"));
      policy.daemonSets(DaemonSets.IGNORE).forceAfter(s(60));

      assertThat(decideAt(at(59)).actions()).isEmpty();
      assertThat(decideAt(at(59)).wakeAt()).contains(at(60));
      assertThat(targets(decideAt(at(60)))).containsExactly("a");
      assertThat(reasons(decideAt(at(60)))).containsExactly(BlockReason.DAEMON_SET_UNKNOWN);
    }

    @Test
    void anEstimateOverflowsForNoGracePeriod() {
      pods(
          pod("a").terminationGrace(Duration.ofSeconds(Long.MAX_VALUE)),
          pod("b").terminationGrace(Duration.ofSeconds(Long.MAX_VALUE)));
      policy
          .deadline(Duration.ofSeconds(Long.MAX_VALUE), AtDeadline.DELETE)
          .forceAfter(Duration.ofSeconds(Long.MAX_VALUE));

      assertThat(targets(decideAt(at(1)))).containsExactly("a", "b");
    }

    @Test
    void notWhileAPodIsTerminating() {
      pods(pod("a").terminating(at(30), s(30)));

      Decision decision = decideAt(START);

      assertThat(decision.status()).isEqualTo(Status.DRAINING);
      assertThat(decision.actions()).isEmpty();
      assertThat(decision.progress().stopping()).isEqualTo(1);
    }

    @Test
    void onlyWithoutPodsWhenTheNodeIsGone() {
      node = NodeFacts.gone(NODE);
      pods(pod("a").terminating(at(-1), s(30)));

      assertThat(reasons(decideAt(START))).containsExactly(BlockReason.NODE_UNREACHABLE);
      pods();
      assertThat(decideAt(START).status()).isEqualTo(Status.DONE);
    }
  }

  @Nested
  class Refusal {
    @Test
    void ofOnePodSparesAllOthers() {
      pods(pod("a"), PodFacts.named("web", "bare", "u").on(NODE));

      Decision decision = decideAt(START);

      assertThat(decision.status()).isEqualTo(Status.REFUSED);
      assertThat(decision.actions()).isEmpty();
      assertThat(decision.blockers().getFirst().line())
          .isEqualTo(
              "web/bare: cannot delete Pods that declare no controller (use --force to override);"
                  + " next: use --force: these pods are not recreated");
    }
  }

  @Nested
  class WithoutBudgets {
    @Test
    void allGoAtOnce() {
      pods(pod("a"), pod("b"), pod("c").phase(Phase.SUCCEEDED));

      Decision decision = decideAt(START);

      assertThat(decision.status()).isEqualTo(Status.DRAINING);
      assertThat(targets(decision)).containsExactly("a", "b", "c");
      assertThat(decision.actions()).allMatch(Evict.class::isInstance);
    }

    @Test
    void upToTheCeilingCountingWhatIsInFlight() {
      pods = IntStream.range(0, 9).mapToObj(i -> pod("p" + i).build()).toList();
      policy.maxInFlight(4);
      Action first = decideAt(START).actions().getFirst();
      attempts = attempts.with(new InFlight(first, START));

      assertThat(targets(decideAt(START))).containsExactly("p1", "p2", "p3");
    }

    @Test
    void notAgainWhileInFlightOrJustGranted() {
      pods(pod("a"), pod("b"));
      List<Action> both = decideAt(START).actions();
      attempts =
          attempts.with(new InFlight(both.get(0), START)).with(new Granted(both.get(1), START));

      assertThat(decideAt(at(1)).actions()).isEmpty();
      assertThat(decideAt(at(1)).status()).isEqualTo(Status.DRAINING);
      assertThat(decideAt(at(1)).wakeAt()).contains(at(30));
    }

    @Test
    void aGrantThatNeverShowsIsAskedForAgain() {
      pods(pod("a"));
      answerAll(START, new EvictionAnswer.Accepted());

      assertThat(targets(decideAt(at(30)))).containsExactly("a");
    }

    @Test
    void aPodThatComesBackUnderItsNameIsAnotherPod() {
      pods(pod("a"));
      answerAll(START, new EvictionAnswer.Accepted());
      pods =
          List.of(
              PodFacts.named("web", "a", "uid-new")
                  .on(NODE)
                  .controller(TestFacts.REPLICA_SET)
                  .build());

      assertThat(decideAt(START).actions())
          .containsExactly(
              new Evict(
                  new PodRef("web", "a", "uid-new"), Optional.empty(), Optional.empty(), false));
    }

    @Test
    void theGraceOfRuleOrPolicyIsSentAlong() {
      pods(pod("a"), pod("b"));
      policy
          .gracePeriodSeconds(7)
          .rule(
              withGrace(
                  s(3),
                  PolicyRule.Match.labels(LabelSelector.parse("app=b")),
                  new EvictionMode.EvictNow()));

      assertThat(decideAt(START).actions())
          .extracting(action -> ((Evict) action).grace())
          .containsExactly(Optional.of(s(7)), Optional.of(s(3)));
    }

    @Test
    void podsOfOtherNodesAreNotTouched() {
      pods(pod("a").on("n2"));

      assertThat(decideAt(START).status()).isEqualTo(Status.DONE);
    }
  }

  @Nested
  class WithBudgets {
    @Test
    void oneBudgetsEvictionsGoInSeriesAndBudgetsSideBySide() {
      pods(pod("a-1"), pod("a-2"), pod("b-1"), pod("b-2"), pod("c-1"));
      budgets(budget("a", 9, 1, 9), budget("b", 9, 1, 9));

      assertThat(targets(decideAt(START))).containsExactly("a-1", "b-1", "c-1");
    }

    @Test
    void theNextOneGoesAsSoonAsTheFirstIsAnswered() {
      pods(pod("a-1"), pod("a-2"));
      budgets(budget("a", 9, 1, 9));
      Action first = decideAt(START).actions().getFirst();
      attempts = attempts.with(new InFlight(first, START));
      assertThat(decideAt(START).actions()).isEmpty();

      attempts = attempts.with(new Granted(first, START));

      assertThat(targets(decideAt(START))).containsExactly("a-2");
    }

    @Test
    void aGrantIsSpentUntilTheBudgetIsSeenToChange() {
      pods(pod("a-1"), pod("a-2"));
      budgets(budget("a", 3, 2, 3));
      answerAll(START, new EvictionAnswer.Accepted());

      assertThat(decideAt(START).actions()).isEmpty();
      budgets(budget("a", 3, 2, 3).version("2"));
      assertThat(targets(decideAt(START))).containsExactly("a-2");
    }

    @Test
    void aBudgetWithoutRoomIsWaitedForAndAskedAgainAfterFiveSeconds() {
      pods(pod("a-1"), pod("a-2"));
      budgets(budget("a", 2, 2, 3));

      Decision waiting = decideAt(at(1));
      assertThat(waiting.status()).isEqualTo(Status.BLOCKED);
      assertThat(waiting.blockers().getFirst().line())
          .isEqualTo(
              "web/a-1, web/a-2: budget web/a-pdb allows no eviction: 2 healthy of 2 needed; next:"
                  + " wait for more healthy pods, add replicas, or relax the budget");
      assertThat(waiting.wakeAt()).contains(at(5));

      Decision probing = decideAt(at(5));
      assertThat(targets(probing)).containsExactly("a-1");
      assertThat(probing.status()).isEqualTo(Status.BLOCKED);
      assertThat(probing.blockers()).isEqualTo(waiting.blockers());
      attempts = attempts.with(new InFlight(probing.actions().getFirst(), at(5)));
      assertThat(decideAt(at(5)).actions()).isEmpty();
      assertThat(decideAt(at(5)).status()).isEqualTo(Status.BLOCKED);
      assertThat(decideAt(at(5)).blockers()).isEqualTo(waiting.blockers());
      attempts = Attempts.none();

      answerAll(at(5), NO_ROOM);
      assertThat(decideAt(at(6)).actions()).isEmpty();
      assertThat(decideAt(at(6)).wakeAt()).contains(at(10));
      assertThat(targets(decideAt(at(10)))).containsExactly("a-1");
    }

    @Test
    void aRefusalIsBelievedOverTheNumbersUntilTheyChange() {
      pods(pod("a-1"));
      budgets(budget("a", 3, 2, 3));
      answerAll(START, NO_ROOM);

      assertThat(decideAt(at(1)).actions()).isEmpty();
      budgets(budget("a", 3, 2, 3).version("2"));
      assertThat(targets(decideAt(at(1)))).containsExactly("a-1");
    }

    @Test
    void anotherNodesEvictionInFlightIsWaitedFor() {
      pods(pod("a-1"));
      budgets(budget("a", 3, 2, 3));
      attempts = attempts.busyElsewhere(Set.of(new BudgetRef("web", "a-pdb")));

      assertThat(reasons(decideAt(START))).containsExactly(BlockReason.BUDGET_TURN);
    }

    @Test
    void twoBudgetsOnOnePodBlockItAndNameBoth() {
      pods(pod("a-1"));
      budgets(
          budget("a", 9, 1, 9),
          BudgetFacts.named("web", "all").selector(LabelSelector.everything()));

      Decision decision = decideAt(at(60));

      assertThat(decision.actions()).isEmpty();
      assertThat(decision.blockers().getFirst().names()).containsExactly("web/a-pdb", "web/all");
      assertThat(reasons(decision)).containsExactly(BlockReason.SEVERAL_BUDGETS);
    }

    @Test
    void podsThatServeNobodyNeedNoBudget() {
      pods(
          pod("a-1").phase(Phase.PENDING).ready(false),
          pod("a-2").phase(Phase.SUCCEEDED).ready(false),
          pod("a-3").phase(Phase.FAILED).ready(false));
      budgets(budget("a", 0, 2, 3));

      assertThat(targets(decideAt(START))).containsExactly("a-1", "a-2", "a-3");
    }

    @Test
    void podsThatAreNotReadyGoAsTheBudgetsPolicySays() {
      pods(pod("a-1").ready(false), pod("a-2").ready(false));

      budgets(budget("a", 1, 2, 4).unhealthyPods(UnhealthyPods.ALWAYS_ALLOW));
      assertThat(targets(decideAt(START))).containsExactly("a-1", "a-2");
      budgets(budget("a", 2, 2, 4));
      assertThat(targets(decideAt(START))).containsExactly("a-1", "a-2");
      budgets(budget("a", 1, 2, 4));
      assertThat(decideAt(START).actions()).isEmpty();
      assertThat(decideAt(START).blockers().getFirst().line())
          .contains("AlwaysAllow would let it go");
      budgets(budget("a", 0, 0, 4));
      assertThat(decideAt(START).actions()).isEmpty();
    }

    @Test
    void numbersThatAreNotToBeTrustedGiveNoRoom() {
      pods(pod("a-1"));

      budgets(budget("a", 3, 2, 3).generation(2, 1));
      assertThat(decideAt(START).blockers().getFirst().what()).contains("still being processed");
      budgets(budget("a", 3, 2, 3).disruptedPods(2001));
      assertThat(decideAt(START).actions()).isEmpty();
      budgets(budget("a", 3, 2, 3).disruptionsAllowed(-1));
      assertThat(decideAt(START).actions()).isEmpty();
      budgets(budget("a", 0, 0, 0).syncFailure("no scale"));
      assertThat(decideAt(START).blockers().getFirst().what()).contains("no scale");
    }
  }

  @Nested
  class Answers {
    private Decision afterAnswer(EvictionAnswer answer, Instant now) {
      attempts = Attempts.none();
      pods(pod("a"), pod("b"));
      Action first = decideAt(START).actions().getFirst();
      attempts = attempts.with(Attempt.answered(first, answer, START));
      return decideAt(now);
    }

    @Test
    void aDenialHoldsOnlyItsPodUpAndIsTriedAgain() {
      EvictionAnswer denied = new EvictionAnswer.Denied("HTTP 403: migrating");

      assertThat(targets(afterAnswer(denied, at(1)))).containsExactly("b");
      assertThat(reasons(afterAnswer(denied, at(1)))).containsExactly(BlockReason.EVICTION_DENIED);
      assertThat(targets(afterAnswer(denied, at(5)))).containsExactly("a", "b");
    }

    @Test
    void theServersThrottleHoldsAllUpForItsTime() {
      EvictionAnswer busy = new EvictionAnswer.Throttled("HTTP 429", s(7));

      Decision decision = afterAnswer(busy, at(1));
      assertThat(decision.actions()).isEmpty();
      assertThat(decision.wakeAt()).contains(at(7));
      assertThat(reasons(decision)).containsExactly(BlockReason.SERVER_THROTTLING);
      assertThat(targets(afterAnswer(busy, at(7)))).containsExactly("a", "b");
    }

    @Test
    void goneIsWaitedForUntilTheWatchShowsIt() {
      assertThat(targets(afterAnswer(new EvictionAnswer.Gone(), at(1)))).containsExactly("b");
    }

    @Test
    void otherRefusalsSayWhy() {
      assertThat(reasons(afterAnswer(new EvictionAnswer.NamespaceTerminating("x"), at(1))))
          .containsExactly(BlockReason.NAMESPACE_TERMINATING);
      assertThat(reasons(afterAnswer(new EvictionAnswer.Failed("x"), at(1))))
          .containsExactly(BlockReason.REQUEST_FAILED);
      assertThat(reasons(afterAnswer(new EvictionAnswer.SeveralBudgets("x"), at(1))))
          .containsExactly(BlockReason.SEVERAL_BUDGETS);
      assertThat(reasons(afterAnswer(NO_ROOM, at(1))))
          .containsExactly(BlockReason.DISRUPTION_BUDGET);
    }
  }

  @Nested
  class ModesAndTiers {
    @Test
    void jobsMayFinishAndAreTakenAwayWhenTheyHave() {
      policy.waitForJobs(true);
      pods(pod("a").controller(TestFacts.JOB).started(START).activeDeadline(s(600)), pod("b"));

      Decision running = decideAt(START);
      assertThat(targets(running)).containsExactly("b");
      assertThat(running.blockers().getFirst().line())
          .startsWith("web/a: runs until it ends by itself, at the latest at " + at(600));

      pods(pod("a").controller(TestFacts.JOB).phase(Phase.SUCCEEDED));
      assertThat(targets(decideAt(START))).containsExactly("a");
    }

    @Test
    void deleteAfterWaitsThenPassesTheBudgetAndSaysSo() {
      policy.rule(withGrace(s(0), PolicyRule.Match.ANY, new EvictionMode.DeleteAfter(s(60))));
      pods(pod("a-1"));
      budgets(budget("a", 2, 2, 3));

      assertThat(decideAt(at(59)).actions()).isEmpty();
      assertThat(decideAt(at(59)).wakeAt()).contains(at(60));
      assertThat(decideAt(at(60)).actions())
          .containsExactly(
              new Delete(
                  pods.getFirst().ref(),
                  Optional.of(s(0)),
                  Why.DELETE_AFTER,
                  List.of(new BudgetRef("web", "a-pdb"))));
    }

    @Test
    void aTierStartsWhenTheOnesBeforeAreGone() {
      policy.rule(
          inTier(
              1,
              PolicyRule.Match.labels(LabelSelector.parse("app=a")),
              new EvictionMode.EvictNow()));
      pods(pod("a"), pod("b").terminating(at(30), s(30)));

      assertThat(decideAt(START).actions()).isEmpty();
      pods(pod("a"));
      assertThat(targets(decideAt(START))).containsExactly("a");
    }

    @Test
    void lowerPriorityGoesFirstWhenAsked() {
      policy.tiersByPriority(true);
      pods(pod("a").priority(1000), pod("b").priority(10), pod("c").priority(10));

      assertThat(targets(decideAt(START))).containsExactly("b", "c");
    }

    @Test
    void daemonSetsGoLastWhenAskedAndTheirReplacementsOnlyBlock() {
      policy.daemonSets(DaemonSets.LAST);
      DaemonSetLookup exists = new DaemonSetLookup.Exists();
      pods(daemonSetPod("ds", exists), pod("b"));
      assertThat(targets(decideAt(START))).containsExactly("b");

      pods(daemonSetPod("ds", exists));
      assertThat(targets(decideAt(START))).containsExactly("ds");

      pods(daemonSetPod("ds-new", exists).created(at(10)));
      assertThat(decideAt(at(20)).actions()).isEmpty();
      assertThat(reasons(decideAt(at(20)))).containsExactly(BlockReason.COMES_BACK);
    }

    @Test
    void aPinnedPodGoesOnceEvenPastTheDeadline() {
      policy.deadline(s(60), AtDeadline.FORCE_DELETE);
      pods(pod("a").pinned(true));
      assertThat(targets(decideAt(START))).containsExactly("a");

      pods(pod("a-new").pinned(true).created(at(1)));
      assertThat(decideAt(at(70)).actions()).isEmpty();
      assertThat(decideAt(at(70)).blockers().getFirst().line())
          .startsWith("web/a-new: ReplicaSet web puts a replacement on this very node");
    }

    @Test
    void anOwnerWhosePodsKeepComingIsNotEmptiedForEver() {
      pods(
          pod("old"),
          pod("new").created(at(5)),
          pod("ended").created(at(5)).phase(Phase.SUCCEEDED));
      attempts = evictedSinceStart(2);
      assertThat(targets(decideAt(at(6)))).containsExactly("ended", "new", "old");

      attempts = evictedSinceStart(3);
      assertThat(targets(decideAt(at(6)))).containsExactly("ended", "old");
      assertThat(reasons(decideAt(at(6)))).containsExactly(BlockReason.COMES_BACK);

      // what else is unknown about that owner changes nothing
      Observation unknown = seen().unknownPods(Map.of("uid-new", "the owner of pod web/new"));
      assertThat(reasons(DrainDecider.decide(unknown, attempts, policy.build(), START, at(6))))
          .containsExactly(BlockReason.COMES_BACK);
    }

    /** So many pods of the ReplicaSet. */
    private static Attempts evictedSinceStart(int pods) {
      return new Attempts(Map.of(), Set.of(), Set.of(), Map.of(TestFacts.REPLICA_SET.uid(), pods));
    }

    @Test
    void podsThatLandLaterAreTreatedAlikeAndCounted() {
      pods(pod("a"));
      attempts = seeing(attempts, decideAt(START).mustGo());
      pods(pod("new").created(at(5)));

      Decision decision = decideAt(at(6));

      assertThat(targets(decision)).containsExactly("new");
      assertThat(decision.progress()).isEqualTo(new Decision.Progress(1, 1, 0, 1));
      assertThat(decision.progress().total()).isEqualTo(2);
    }
  }

  @Nested
  class Escalation {
    @Test
    void theDeadlineFailsTheDrainAndTouchesNothingMore() {
      policy.deadline(s(60), AtDeadline.FAIL);
      pods(pod("a-1"), pod("b"));
      budgets(budget("a", 2, 2, 3));

      assertThat(decideAt(at(59)).wakeAt()).contains(at(60));
      Decision late = decideAt(at(60));
      assertThat(late.status()).isEqualTo(Status.FAILED);
      assertThat(late.actions()).isEmpty();
      assertThat(late.wakeAt()).isEmpty();
      assertThat(reasons(late)).contains(BlockReason.DEADLINE_PASSED);
    }

    @Test
    void theDeadlineDeletesPastBudgetsTiersAndModes() {
      policy
          .deadline(s(60), AtDeadline.DELETE)
          .rule(
              inTier(
                  1,
                  PolicyRule.Match.labels(LabelSelector.parse("app=b")),
                  new EvictionMode.LetFinish()));
      pods(pod("a-1"), pod("b-1"), pod("c-1").terminating(at(90), s(90)));
      budgets(budget("a", 2, 2, 3));

      assertThat(decideAt(at(60)).actions())
          .containsExactly(
              new Delete(
                  pods.get(0).ref(),
                  Optional.empty(),
                  Why.DEADLINE,
                  List.of(new BudgetRef("web", "a-pdb"))),
              new Delete(pods.get(1).ref(), Optional.empty(), Why.DEADLINE, List.of()));
    }

    @Test
    void theDeadlineForcesAlsoWhatTerminatesButOnlyOnce() {
      policy.deadline(s(60), AtDeadline.FORCE_DELETE);
      pods(pod("a"), pod("b").terminating(at(90), s(90)), pod("c").terminating(at(59), s(0)));

      assertThat(targets(decideAt(at(60)))).containsExactly("a", "b");
      assertThat(decideAt(at(60)).actions()).allMatch(ForceDelete.class::isInstance);
      answerAll(at(60), new EvictionAnswer.Accepted());
      assertThat(decideAt(at(61)).actions()).isEmpty();
    }

    @Test
    void forceAfterDeletesOnlyWhatIsHeldUp() {
      policy.forceAfter(s(60));
      pods(pod("a-1"), pod("b-1"), pod("c-1"));
      budgets(
          budget("a", 2, 2, 3),
          budget("b", 3, 2, 3),
          budget("c", 3, 2, 3),
          BudgetFacts.named("web", "c2").selector(LabelSelector.matching("app", "c")));

      assertThat(decideAt(at(1)).wakeAt()).contains(at(5));
      assertThat(decideAt(at(59)).wakeAt()).contains(at(60));
      // Just refused at its last attempt before the time has passed.
      attempts =
          attempts.with(
              new Refused(
                  new Evict(
                      pods.getFirst().ref(),
                      Optional.empty(),
                      Optional.of(new Action.BudgetSeen(new BudgetRef("web", "a-pdb"), "1")),
                      false),
                  (EvictionAnswer.Refusal) NO_ROOM,
                  at(59)));
      assertThat(decideAt(at(60)).actions())
          .containsExactly(
              new Delete(
                  pods.get(0).ref(),
                  Optional.empty(),
                  Why.FORCE_AFTER,
                  List.of(new BudgetRef("web", "a-pdb"))),
              new Evict(
                  pods.get(1).ref(),
                  Optional.empty(),
                  Optional.of(new Action.BudgetSeen(new BudgetRef("web", "b-pdb"), "1")),
                  false),
              new Delete(
                  pods.get(2).ref(),
                  Optional.empty(),
                  Why.FORCE_AFTER,
                  List.of(new BudgetRef("web", "c-pdb"), new BudgetRef("web", "c2"))));
    }

    @Test
    void plainDeletionNamesTheBudgetsItPasses() {
      policy.deleteInsteadOfEvict(true);
      pods(pod("a-1"));
      budgets(budget("a", 2, 2, 3));

      assertThat(decideAt(START).actions())
          .containsExactly(
              new Delete(
                  pods.getFirst().ref(),
                  Optional.empty(),
                  Why.EVICTION_DISABLED,
                  List.of(new BudgetRef("web", "a-pdb"))));
    }

    @Test
    void noEscalationOverridesTheFilters() {
      policy.deadline(s(60), AtDeadline.FORCE_DELETE).forceAfter(s(1));
      pods(pod("a"), pod("b").emptyDir(true));

      assertThat(decideAt(at(99)).status()).isEqualTo(Status.REFUSED);
      assertThat(decideAt(at(99)).actions()).isEmpty();
    }
  }

  @Nested
  class Stopping {
    @Test
    void pastItsGraceNeedsAReason() {
      pods(
          pod("a").terminating(at(30), s(30)),
          pod("b").terminating(at(30), s(30)).finalizers(List.of("x/y")));

      assertThat(decideAt(at(30)).status()).isEqualTo(Status.DRAINING);
      assertThat(decideAt(at(30)).wakeAt()).contains(at(35));
      Decision late = decideAt(at(35));
      assertThat(late.status()).isEqualTo(Status.BLOCKED);
      assertThat(reasons(late)).containsExactly(BlockReason.SLOW_TO_STOP, BlockReason.FINALIZER);
      assertThat(late.eta().atMost()).isEmpty();
    }

    @Test
    void aPodThatHasEndedAndIsKeptByAFinalizerHoldsUpNoForcedDrain() {
      policy.deadline(s(60), AtDeadline.FORCE_DELETE);
      pods(
          pod("a")
              .phase(PodFacts.Phase.FAILED)
              .terminating(at(30), s(30))
              .finalizers(List.of("x/y")));

      assertThat(decideAt(at(29)).wakeAt()).contains(at(30));
      assertThat(reasons(decideAt(at(59)))).containsExactly(BlockReason.FINALIZER);
      assertThat(decideAt(at(59)).wakeAt()).contains(at(60));
      assertThat(decideAt(at(60)).status()).isEqualTo(Status.DONE);
      assertThat(decideAt(at(60)).warnings())
          .containsExactly("ignoring Pods that have ended and that only a finalizer keeps: web/a");
    }

    @Test
    void theTimeToForcePodsEndsTheWaitForAnEndedPodToo() {
      policy.forceAfter(s(60));
      pods(
          pod("a")
              .phase(PodFacts.Phase.SUCCEEDED)
              .terminating(at(30), s(30))
              .finalizers(List.of("x/y")));

      assertThat(reasons(decideAt(at(59)))).containsExactly(BlockReason.FINALIZER);
      assertThat(decideAt(at(59)).wakeAt()).contains(at(60));
      assertThat(decideAt(at(60)).status()).isEqualTo(Status.DONE);
    }

    @Test
    void aPodOfWhichNobodyKnowsThatItHasEndedIsWaitedForAlsoWhenForced() {
      policy.deadline(s(60), AtDeadline.FORCE_DELETE);
      pods(pod("a").terminating(at(30), s(0)).finalizers(List.of("x/y")));

      assertThat(decideAt(at(9999)).status()).isEqualTo(Status.BLOCKED);
      assertThat(reasons(decideAt(at(9999)))).containsExactly(BlockReason.FINALIZER);
    }

    @Test
    void skipWaitEndsTheWaitByTimeAlone() {
      policy.skipWait(s(10));
      pods(pod("a").terminating(at(30), s(30)));

      assertThat(decideAt(at(36)).wakeAt()).contains(at(41));
      assertThat(decideAt(at(41)).status()).isEqualTo(Status.DONE);
    }

    @Test
    void aSilentNodeIsNamedAndWaitedFor() {
      node = node.unreachable(at(-100));
      pods(pod("a").terminating(at(30), s(30)));

      assertThat(decideAt(at(29)).wakeAt()).contains(at(30));
      assertThat(reasons(decideAt(at(30)))).containsExactly(BlockReason.NODE_UNREACHABLE);
      assertThat(decideAt(at(9999)).actions()).isEmpty();
    }

    @Test
    void aSilentNodesPodsAreForcedAfterThePolicysTime() {
      policy.unreachable(new Unreachable(Unreachable.Action.FORCE_DELETE, s(200)));
      node = node.unreachable(START);
      pods(pod("a").terminating(at(30), s(30)), pod("b").terminating(at(300), s(300)));

      assertThat(decideAt(at(199)).actions()).isEmpty();
      assertThat(decideAt(at(199)).wakeAt()).contains(at(200));
      assertThat(decideAt(at(200)).actions())
          .containsExactly(new ForceDelete(pods.getFirst().ref(), Why.NODE_UNREACHABLE, List.of()));
    }

    @Test
    void aSilentNodeIsTaintedOnce() {
      policy.unreachable(new Unreachable(Unreachable.Action.OUT_OF_SERVICE_TAINT, s(60)));
      node = node.unreachable(START);
      pods(pod("a").terminating(at(30), s(30)), pod("b").terminating(at(30), s(30)));

      assertThat(decideAt(at(60)).actions()).containsExactly(new TaintOutOfService(NODE));
      answerAll(at(60), new EvictionAnswer.Accepted());
      assertThat(decideAt(at(61)).actions()).isEmpty();
      attempts = Attempts.none();
      node = taintedOutOfService(node);
      assertThat(decideAt(at(61)).actions()).isEmpty();
    }
  }

  @Nested
  class Halts {
    @Test
    void theAndonCordStopsNewHarm() {
      pods(pod("a"));
      Observation stopped = seen().stopped("bad firmware");

      Decision decision = DrainDecider.decide(stopped, attempts, policy.build(), START, START);

      assertThat(decision.actions()).isEmpty();
      assertThat(decision.blockers().getFirst().line())
          .isEqualTo(
              "everything is stopped: bad firmware; next: run 'drydock resume' when it is safe to continue");
    }

    @Test
    void aNodeThatCannotBeHeldIsNotTouched() {
      pods(pod("a"));
      Observation full = seen().notHeld("no room");

      Decision decision = DrainDecider.decide(full, attempts, policy.build(), START, START);

      assertThat(decision.actions()).isEmpty();
      assertThat(decision.status()).isEqualTo(Status.BLOCKED);
      assertThat(reasons(decision)).containsExactly(BlockReason.NOT_HELD);
    }

    @Test
    void aSchedulableNodeIsNotDrainedUnlessThePolicyAllows() {
      pods(pod("a"));
      node = node.schedulable();

      assertThat(reasons(decideAt(START))).containsExactly(BlockReason.NOT_CORDONED);
      assertThat(decideAt(START).actions()).isEmpty();
      policy.cordonRequired(false);
      assertThat(targets(decideAt(START))).containsExactly("a");
    }
  }

  @Test
  void reasonsHaveNamesForConditions() {
    assertThat(BlockReason.DISRUPTION_BUDGET.camelCase()).isEqualTo("DisruptionBudget");
  }

  @Test
  void manyPodsBehindOneThingAreOneLine() {
    pods = IntStream.range(0, 9).mapToObj(i -> pod("a-" + i).build()).toList();
    budgets(budget("a", 2, 2, 3));

    assertThat(decideAt(START).blockers()).hasSize(1);
    assertThat(decideAt(START).blockers().getFirst().line())
        .startsWith("web/a-0, web/a-1, web/a-2 and 6 more: budget web/a-pdb");
  }

  @Test
  void aNodeIsEmptyOnlyIfThatWasSeenSinceItIsHeld() {
    assertThat(decideWith(new PodProof.Given(), START).status()).isEqualTo(Status.DONE);

    Decision missing = decideWith(new PodProof.Missing(), START);
    assertThat(missing.status()).isEqualTo(Status.DRAINING);
    assertThat(missing.blockers())
        .extracting(Blocker::facts)
        .containsExactly("not observed yet: the pods of node n1 since it was held");

    Decision failed = decideWith(new PodProof.Failed("HTTP 500"), START);
    assertThat(failed.status()).isEqualTo(Status.BLOCKED);
    assertThat(failed.blockers())
        .extracting(Blocker::facts)
        .containsExactly("not observed yet: the pods of node n1 since it was held (HTTP 500)");
    assertThat(List.of(missing, failed)).allMatch(Decision::isBlind);
  }

  @Test
  void aDeadlineEndsADrainWhoseLastLookFailsButNotBeforeIt() {
    policy = policy.deadline(s(60), AtDeadline.FAIL);

    assertThat(decideWith(new PodProof.Missing(), at(61)).status()).isEqualTo(Status.DRAINING);
    assertThat(decideWith(new PodProof.Failed("HTTP 500"), at(61)).status())
        .isEqualTo(Status.FAILED);
  }

  @Test
  void podsThatHaveToLeaveAreEvictedWithoutThatProof() {
    pods(pod("web-1"));

    assertThat(targets(decideWith(new PodProof.Missing(), START))).containsExactly("web-1");
  }
}
