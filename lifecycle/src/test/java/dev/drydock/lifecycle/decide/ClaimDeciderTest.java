package dev.drydock.lifecycle.decide;

import static dev.drydock.lifecycle.decide.TestClaimInput.DRIVER;
import static dev.drydock.lifecycle.decide.TestClaimInput.NODE;
import static dev.drydock.lifecycle.decide.TestClaimInput.TRANSITION;
import static dev.drydock.lifecycle.decide.TestClaimInput.at;
import static dev.drydock.lifecycle.decide.TestClaimInput.but;
import static dev.drydock.lifecycle.decide.TestClaimInput.claimed;
import static dev.drydock.lifecycle.decide.TestClaimInput.pending;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.lifecycle.decide.DriverCallState.Answer;
import dev.drydock.lifecycle.decide.DriverCallState.Call;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClaimDeciderTest {
  private static final LifecycleEventFacts A = claimed("a");
  private static final Answer.Told STARTED = new Answer.Told("drain-started", NODE);
  private static final Answer.Told COMPLETE = new Answer.Told("drain-complete", NODE);
  private static final Answer.Unreachable SILENT = new Answer.Unreachable("UNAVAILABLE");

  // claiming

  @Test
  void nothingIsToBeDoneWithoutEvents() {
    assertThat(new TestClaimInput().decide()).isEqualTo(new ClaimStep.Idle());
  }

  @Test
  void theOldestEventIsClaimedFirstAndThenByName() {
    LifecycleEventFacts late = but(pending("a"), event -> event.created(5));
    LifecycleEventFacts second = pending("c");
    LifecycleEventFacts first = pending("b");

    ClaimStep step = new TestClaimInput().with(late).with(second).with(first).decide();

    assertThat(step).isEqualTo(new ClaimStep.Claim(first, TRANSITION));
  }

  @Test
  void theTimeOfAnEventCountsFromItsClaim() {
    ClaimStep.Claim claim = new ClaimStep.Claim(pending("a"), TRANSITION);

    assertThat(claim.sla(at(60))).contains(at(360));
  }

  @Test
  void aSecondEventWaitsForTheFirstAndSaysSo() {
    ClaimInput input =
        new TestClaimInput().with(A).with(pending("b")).calling("a", Call.END, 0).input();

    assertThat(ClaimDecider.decide(input)).isInstanceOf(ClaimStep.Wait.class);
    assertThat(ClaimDecider.waits(input))
        .containsExactly(
            java.util.Map.entry("uid-b", "waits for LifecycleEvents of node n1 that come first"));
  }

  @Test
  void anEventForAnUnknownTransitionWaitsAndHoldsNobodyUp() {
    LifecycleEventFacts other = but(pending("b"), event -> event.created(1));
    TransitionFacts known = TRANSITION;
    LifecycleEventFacts lost =
        new LifecycleEventFacts(
            new LifecycleRef(LifecycleNames.OWN_GROUP, "a"),
            "uid-a",
            known.ref().name(), // which is there in the other group only
            at(0),
            false,
            false,
            false,
            ClaimStatus.Pending,
            Optional.empty(),
            "",
            "");

    ClaimInput input = new TestClaimInput().with(lost).with(other).input();

    assertThat(ClaimDecider.decide(input)).isEqualTo(new ClaimStep.Claim(other, known));
    assertThat(ClaimDecider.waits(input))
        .hasEntrySatisfying("uid-a", why -> assertThat(why).contains("drain", "does not exist"));
  }

  @Test
  void anEventWhoseDriverIsMissingWaitsAndSaysSo() {
    for (TestClaimInput input :
        new TestClaimInput[] {
          new TestClaimInput().driverNeverSeen(), new TestClaimInput().driverGone(0).now(3600)
        }) {
      input.with(pending("a"));

      assertThat(input.decide()).isEqualTo(new ClaimStep.Idle());
      assertThat(ClaimDecider.waits(input.input()))
          .containsEntry(
              "uid-a", "waits for driver " + DRIVER + ", which is not registered on node n1");
    }
  }

  @Test
  void aTransitionForAnotherNodeIsRejectedWithTheReason() {
    ClaimStep step =
        new TestClaimInput()
            .transition(covering(new NodeCoverage.OneNode("n2")))
            .driverNeverSeen()
            .with(pending("a"))
            .decide();

    assertThat(step)
        .isEqualTo(
            new ClaimStep.Reject(pending("a"), "LifecycleTransition drain is not for node n1"));
  }

  @Test
  void aRejectedEventStaysForItsAuthor() {
    LifecycleEventFacts rejected = but(pending("a"), event -> event.claim(ClaimStatus.Failed));

    assertThat(new TestClaimInput().with(rejected).decide()).isEqualTo(new ClaimStep.Idle());
  }

  @Test
  void nothingIsClaimedForANodeThatIsNotThere() {
    assertThat(new TestClaimInput().nodeGone().with(pending("a")).decide())
        .isEqualTo(new ClaimStep.Idle());
  }

  @Test
  void whereTheKubeletClaimsOursOnlyEndsWhatItHasBegun() {
    assertThat(new TestClaimInput().kubeletClaims().with(pending("a")).decide())
        .isEqualTo(new ClaimStep.Idle());
    assertThat(new TestClaimInput().kubeletClaims().with(A).decide())
        .isEqualTo(new ClaimStep.Ask(A, TRANSITION, Call.START));
    assertThat(ClaimDecider.waits(new TestClaimInput().kubeletClaims().with(pending("a")).input()))
        .isEmpty();
  }

  @Test
  void whatTheKubeletHasClaimedIsItsOwn() {
    LifecycleEventFacts kubelets = but(A, event -> event.marks(false, true, false));

    assertThat(new TestClaimInput().kubeletClaims().with(kubelets).decide())
        .isEqualTo(new ClaimStep.Idle());
    assertThat(
            new TestClaimInput()
                .kubeletClaims()
                .with(but(kubelets, event -> event.deleted()))
                .decide())
        .isEqualTo(new ClaimStep.Idle());
  }

  @Test
  void whatWasOnlyMarkedIsClaimedAfterARestart() {
    LifecycleEventFacts marked = but(pending("a"), TestClaimInput.Change::ours);

    assertThat(new TestClaimInput().with(marked).decide())
        .isEqualTo(new ClaimStep.Claim(marked, TRANSITION));
  }

  @Test
  void whatWasDeletedBeforeItWasClaimedIsLetGo() {
    LifecycleEventFacts marked = but(pending("a"), event -> event.ours().deleted());
    LifecycleEventFacts untouched = but(pending("a"), TestClaimInput.Change::deleted);

    assertThat(new TestClaimInput().with(marked).decide())
        .isEqualTo(
            new ClaimStep.Finish(marked, ClaimStatus.Failed, "deleted before it was claimed"));
    assertThat(new TestClaimInput().with(untouched).decide()).isEqualTo(new ClaimStep.Idle());
  }

  // driving

  @Test
  void aStartIsAskedForWhateverTheNodeSays() {
    // An event that was claimed by an earlier process, or just now: a condition that an earlier
    // event left behind does not even reach the decision.
    assertThat(new TestClaimInput().with(A).decide())
        .isEqualTo(new ClaimStep.Ask(A, TRANSITION, Call.START));
  }

  @Test
  void whatWasSaidAboutAnotherEventDoesNotCount() {
    ClaimStep step =
        new TestClaimInput().with(A).heard("earlier", Call.END, 0, COMPLETE).published().decide();

    assertThat(step).isEqualTo(new ClaimStep.Ask(A, TRANSITION, Call.START));
  }

  @Test
  void anAnswerIsPublishedAndThenTheEndIsAskedFor() {
    TestClaimInput started = new TestClaimInput().with(A).heard("a", Call.START, 0, STARTED);

    assertThat(started.decide()).isEqualTo(new ClaimStep.Publish(A, "drain-started", NODE));
    assertThat(started.published().decide()).isEqualTo(new ClaimStep.Ask(A, TRANSITION, Call.END));
  }

  @Test
  void aDriverThatStillWorksIsAskedAgainNotTooSoon() {
    TestClaimInput works =
        new TestClaimInput().with(A).heard("a", Call.END, 100, STARTED).published();

    assertThat(works.now(101).decide())
        .isEqualTo(new ClaimStep.Wait(A, "in progress", Optional.of(at(110)), false));
    assertThat(works.now(110).decide()).isEqualTo(new ClaimStep.Ask(A, TRANSITION, Call.END));
  }

  @Test
  void theEndIsPublishedBeforeTheEventSucceeds() {
    TestClaimInput complete = new TestClaimInput().with(A).heard("a", Call.END, 0, COMPLETE);

    assertThat(complete.decide()).isEqualTo(new ClaimStep.Publish(A, "drain-complete", NODE));
    assertThat(complete.published().decide())
        .isEqualTo(new ClaimStep.Finish(A, ClaimStatus.Succeeded, "drain-complete"));
  }

  @Test
  void aCallUnderWayIsLeftAloneUntilTheTimeIsOver() {
    TestClaimInput calling = new TestClaimInput().with(A).calling("a", Call.END, 0);

    assertThat(calling.now(299).decide())
        .isEqualTo(new ClaimStep.Wait(A, "in progress", Optional.of(at(300)), false));
    assertThat(calling.now(300).decide()).isEqualTo(new ClaimStep.Ask(A, TRANSITION, Call.EXPIRE));
  }

  @Test
  void theLastCallAfterTheTimeIsNotWaitedForInCircles() {
    TestClaimInput expiring = new TestClaimInput().with(A).calling("a", Call.EXPIRE, 300).now(310);

    assertThat(expiring.decide())
        .isEqualTo(new ClaimStep.Wait(A, "in progress", Optional.empty(), false));
  }

  @Test
  void whatTheDriverRefusesFails() {
    Answer refused = new Answer.Refused("node cannot be cordoned");

    for (Call call : new Call[] {Call.START, Call.END}) {
      assertThat(new TestClaimInput().with(A).heard("a", call, 0, refused).decide())
          .isEqualTo(new ClaimStep.Finish(A, ClaimStatus.Failed, "node cannot be cordoned"));
    }
    assertThat(new TestClaimInput().with(A).heard("a", Call.EXPIRE, 300, refused).now(301).decide())
        .isEqualTo(new ClaimStep.Finish(A, ClaimStatus.SlaExpired, "node cannot be cordoned"));
  }

  @Test
  void timeThatIsOverIsSaidToTheDriverOnce() {
    TestClaimInput late =
        new TestClaimInput().with(A).heard("a", Call.EXPIRE, 300, STARTED).published().now(301);

    assertThat(late.decide())
        .isEqualTo(
            new ClaimStep.Finish(
                A,
                ClaimStatus.SlaExpired,
                "not completed within the SLA; the driver reports drain-started"));
    assertThat(
            new TestClaimInput()
                .with(A)
                .heard("a", Call.EXPIRE, 300, COMPLETE)
                .published()
                .now(301))
        .extracting(TestClaimInput::decide)
        .isEqualTo(new ClaimStep.Finish(A, ClaimStatus.Succeeded, "drain-complete"));
  }

  // deletion

  @Test
  void aDeletedEventIsCancelledAndThenLetGo() {
    LifecycleEventFacts deleted = but(A, TestClaimInput.Change::deleted);

    assertThat(new TestClaimInput().with(deleted).calling("a", Call.END, 0).decide())
        .isEqualTo(new ClaimStep.Ask(deleted, TRANSITION, Call.CANCEL));
    assertThat(
            new TestClaimInput()
                .with(deleted)
                .heard("a", Call.CANCEL, 0, new Answer.Refused("stopped"))
                .decide())
        .isEqualTo(
            new ClaimStep.Finish(deleted, ClaimStatus.Failed, "deleted before it ended: stopped"));
    assertThat(new TestClaimInput().with(deleted).heard("a", Call.CANCEL, 0, COMPLETE).published())
        .extracting(TestClaimInput::decide)
        .isEqualTo(new ClaimStep.Finish(deleted, ClaimStatus.Failed, "deleted before it ended"));
  }

  @Test
  void aDeletedEventDoesNotWaitForADriverThatIsGone() {
    LifecycleEventFacts deleted = but(A, TestClaimInput.Change::deleted);

    assertThat(new TestClaimInput().with(deleted).driverGone(0).decide())
        .extracting(step -> ((ClaimStep.Finish) step).outcome())
        .isEqualTo(ClaimStatus.Failed);
    assertThat(new TestClaimInput().with(deleted).withoutTransitions().decide())
        .isInstanceOf(ClaimStep.Finish.class);
  }

  // loss

  @Test
  void aDriverThatRestartsIsWaitedForAndThenAskedAgain() {
    TestClaimInput gone =
        new TestClaimInput().with(A).heard("a", Call.END, 0, SILENT).driverGone(10);

    assertThat(gone.now(39).decide())
        .isEqualTo(
            new ClaimStep.Wait(
                A,
                "driver " + DRIVER + " is gone; waiting for it to return",
                Optional.of(at(40)),
                true));
    assertThat(gone.now(40).decide())
        .isEqualTo(
            new ClaimStep.Finish(A, ClaimStatus.Failed, "driver " + DRIVER + " is gone for 30 s"));
    assertThat(
            new TestClaimInput()
                .with(A)
                .heard("a", Call.END, 0, SILENT)
                .stalled(10)
                .now(20)
                .decide())
        .isEqualTo(new ClaimStep.Ask(A, TRANSITION, Call.END));
  }

  @Test
  void aDriverThatNeverCameIsMissedSinceTheClaimerLooks() {
    TestClaimInput never = new TestClaimInput().with(A).driverNeverSeen();

    assertThat(never.now(29).decide()).isInstanceOf(ClaimStep.Wait.class);
    assertThat(never.now(30).decide()).isInstanceOf(ClaimStep.Finish.class);
  }

  @Test
  void aDriverThatStaysSilentFailsTheEvent() {
    TestClaimInput silent =
        new TestClaimInput().with(A).heard("a", Call.START, 40, SILENT).stalled(10);

    assertThat(silent.now(39).decide())
        .isEqualTo(
            new ClaimStep.Wait(
                A, "the driver does not answer: UNAVAILABLE", Optional.of(at(41)), true));
    assertThat(silent.now(40).decide())
        .isEqualTo(
            new ClaimStep.Finish(A, ClaimStatus.Failed, "the driver does not answer: UNAVAILABLE"));
  }

  @Test
  void aSilentDriverIsNotWaitedForBeyondTheTimeOfTheEvent() {
    TestClaimInput gone = new TestClaimInput().with(A).driverGone(290);

    assertThat(gone.now(291).decide())
        .asInstanceOf(type(ClaimStep.Wait.class))
        .extracting(ClaimStep.Wait::until)
        .isEqualTo(Optional.of(at(300)));
    assertThat(gone.now(300).decide())
        .asInstanceOf(type(ClaimStep.Finish.class))
        .extracting(ClaimStep.Finish::outcome)
        .isEqualTo(ClaimStatus.SlaExpired);
  }

  @Test
  void aTransitionThatIsGoneFailsTheEventAfterAWhile() {
    TestClaimInput gone = new TestClaimInput().with(A).withoutTransitions();

    assertThat(gone.now(5).decide())
        .isEqualTo(
            new ClaimStep.Wait(
                A,
                "LifecycleTransition drain is gone; waiting for it to return",
                Optional.of(at(35)),
                true));
    assertThat(gone.stalled(5).now(35).decide())
        .isEqualTo(
            new ClaimStep.Finish(
                A, ClaimStatus.Failed, "LifecycleTransition drain is gone for 30 s"));
  }

  @Test
  void aNodeThatIsGoneFailsItsEvent() {
    assertThat(new TestClaimInput().nodeGone().with(A).decide())
        .isEqualTo(new ClaimStep.Finish(A, ClaimStatus.Failed, "node n1 is gone"));
  }

  @Test
  void whatHasEndedIsCleanedUpFirst() {
    LifecycleEventFacts over =
        but(claimed("z"), event -> event.claim(ClaimStatus.SlaExpired).message("late"));

    assertThat(new TestClaimInput().with(A).with(over).decided("z").decide())
        .isEqualTo(new ClaimStep.Finish(over, ClaimStatus.SlaExpired, "late"));
  }

  @Test
  void anEndThatThisClaimerDidNotDecideIsLookedUp() {
    LifecycleEventFacts byHand = but(A, event -> event.claim(ClaimStatus.Succeeded));

    assertThat(new TestClaimInput().with(byHand).decide())
        .isEqualTo(
            new ClaimStep.Verify(
                byHand,
                ClaimStatus.Failed,
                "claimStatus Succeeded was written by somebody else; the driver has not said so"));
  }

  @Test
  void aDriverThatIsRegisteredButSilentFailsAPendingEventAfterAWhile() {
    LifecycleEventFacts event = pending("a");
    TestClaimInput silent = new TestClaimInput().with(event).driverSilent(10);
    String why = "driver " + DRIVER + " is registered on node n1, but does not answer";

    assertThat(silent.now(39).decide()).isEqualTo(new ClaimStep.Idle(Optional.of(at(40))));
    assertThat(ClaimDecider.waits(silent.input())).containsEntry("uid-a", why);
    assertThat(silent.now(40).decide())
        .isEqualTo(
            new ClaimStep.Finish(
                event, ClaimStatus.Failed, why + " for 30 s", Optional.of(DRIVER)));
    assertThat(
            new TestClaimInput()
                .with(but(event, one -> one.created(100)))
                .driverSilent(10)
                .now(101)
                .decide())
        .isEqualTo(new ClaimStep.Idle(Optional.of(at(130))));
  }

  @Test
  void whatAnEventLacksIsSaidWhetherOrNotOthersComeFirst() {
    TestClaimInput input = new TestClaimInput().with(A).with(pending("b"));

    assertThat(ClaimDecider.waits(input.input()))
        .containsEntry("uid-b", "waits for LifecycleEvents of node n1 that come first");
    assertThat(ClaimDecider.waits(input.withoutTransitions().input()).get("uid-b"))
        .startsWith("waits for LifecycleTransition drain, which does not exist");
  }

  @Test
  void whatOnlyOthersKeepIsDoneWith() {
    LifecycleEventFacts kept =
        but(A, event -> event.claim(ClaimStatus.Succeeded).marks(true, false, true));

    assertThat(new TestClaimInput().with(kept).decide()).isEqualTo(new ClaimStep.Idle());
  }

  // events that somebody else claimed, or that cannot be read

  @Test
  void whoeverClaimedItAnEventOfADriverHereIsDriven() {
    LifecycleEventFacts byHand = but(pending("a"), event -> event.claim(ClaimStatus.Claimed));

    assertThat(new TestClaimInput().with(byHand).decide()).isEqualTo(new ClaimStep.Mark(byHand));
    assertThat(new TestClaimInput().with(byHand).driverGone(0).now(1).decide())
        .isEqualTo(new ClaimStep.Mark(byHand));
  }

  @Test
  void anEventThatLostAMarkGetsItAgain() {
    for (boolean guarded : new boolean[] {false, true}) {
      LifecycleEventFacts stripped = but(A, event -> event.marks(false, guarded, !guarded));

      assertThat(new TestClaimInput().with(stripped).decide())
          .isEqualTo(new ClaimStep.Mark(stripped));
      assertThat(new TestClaimInput().with(but(stripped, event -> event.deleted())).decide())
          .isInstanceOf(ClaimStep.Ask.class);
    }
  }

  @Test
  void deletionNeverHangsOnAFinalizerWithoutTheAnnotation() {
    for (ClaimStatus claim : ClaimStatus.values()) {
      LifecycleEventFacts stripped =
          but(pending("a"), event -> event.claim(claim).marks(true, true, false));

      assertThat(new TestClaimInput().with(stripped).driverNeverSeen().decide())
          .isInstanceOf(claim.isTerminal() ? ClaimStep.Verify.class : ClaimStep.Finish.class);
    }
  }

  @Test
  void theClaimOfAnExternalControllerIsLeftAloneAndCounts() {
    LifecycleEventFacts theirs = but(pending("a"), event -> event.claim(ClaimStatus.Claimed));
    TestClaimInput input =
        new TestClaimInput()
            .driverNeverSeen()
            .with(theirs)
            .with(but(pending("b"), event -> event.created(1)))
            .unchanged("a", 0);

    assertThat(input.now(299).decide())
        .asInstanceOf(type(ClaimStep.Leave.class))
        .extracting(ClaimStep.Leave::until)
        .isEqualTo(Optional.of(at(300)));
    assertThat(ClaimDecider.waits(input.input()))
        .containsExactly(
            java.util.Map.entry(
                "uid-b", "waits for driver " + DRIVER + ", which is not registered on node n1"));
    assertThat(input.now(300).decide()).isInstanceOf(ClaimStep.Warn.class);
    assertThat(input.warned("a").decide())
        .asInstanceOf(type(ClaimStep.Leave.class))
        .extracting(ClaimStep.Leave::until)
        .isEqualTo(Optional.empty());
  }

  @Test
  void ofTwoClaimedEventsOursGoesOnAndTheOtherWaits() {
    LifecycleEventFacts byHand =
        but(pending("z"), event -> event.claim(ClaimStatus.Claimed).created(-5));
    TestClaimInput input = new TestClaimInput().with(byHand).with(A);

    assertThat(input.decide()).isEqualTo(new ClaimStep.Ask(A, TRANSITION, Call.START));
    assertThat(ClaimDecider.waits(input.input()))
        .containsExactly(
            java.util.Map.entry("uid-z", "waits for LifecycleEvents of node n1 that come first"));
  }

  @Test
  void anEventThatCannotBeReadWaitsAndSaysWhy() {
    LifecycleEventFacts odd = but(A, event -> event.fault("status.sla is odd"));
    TestClaimInput input = new TestClaimInput().with(odd);

    assertThat(input.decide()).isInstanceOf(ClaimStep.Leave.class);
    assertThat(ClaimDecider.waits(input.input()))
        .hasEntrySatisfying("uid-a", why -> assertThat(why).contains("status.sla is odd"));
    assertThat(new TestClaimInput().with(but(odd, event -> event.deleted())).decide())
        .isEqualTo(new ClaimStep.Ask(but(odd, event -> event.deleted()), TRANSITION, Call.CANCEL));
  }

  private static TransitionFacts covering(NodeCoverage coverage) {
    return new TransitionFacts(
        TestClaimInput.DRAIN,
        "uid-of-drain",
        false,
        "drain-started",
        "drain-complete",
        coverage,
        Optional.of(Duration.ofMinutes(5)),
        DRIVER);
  }
}
