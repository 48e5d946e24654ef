package dev.drydock.lifecycle.decide;

import static dev.drydock.lifecycle.decide.TestClaimInput.at;
import static dev.drydock.lifecycle.decide.TestClaimInput.but;
import static dev.drydock.lifecycle.decide.TestClaimInput.claimed;
import static dev.drydock.lifecycle.decide.TestDriverInput.EVENT;
import static dev.drydock.lifecycle.decide.TestDriverInput.OTHER;
import static dev.drydock.lifecycle.decide.TestDriverInput.call;
import static dev.drydock.lifecycle.decide.TestDriverInput.expired;
import static dev.drydock.lifecycle.decide.TestDriverInput.held;
import static dev.drydock.lifecycle.decide.TestDriverInput.running;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import dev.drydock.lifecycle.decide.DriverDrain.Purpose;
import dev.drydock.lifecycle.decide.DriverDrain.Run;
import dev.drydock.lifecycle.decide.DriverStep.Reply;
import dev.drydock.lifecycle.decide.PendingCall.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class DriverDeciderTest {
  private static final PendingCall START = call(1, Kind.START_DRAIN, EVENT);
  private static final PendingCall END = call(1, Kind.END_DRAIN, EVENT);
  private static final PendingCall EXPIRE = expired(END);
  private static final String WITHOUT = "drains on, past the time of LifecycleEvent " + EVENT;

  private static TestDriverInput input() {
    return new TestDriverInput();
  }

  private static DriverStep told(PendingCall call, String reason) {
    return new DriverStep.Answer(call, new Reply.Told(reason));
  }

  private static DriverStep failed(PendingCall call, String why) {
    return new DriverStep.Answer(call, new Reply.Failed(why));
  }

  private static DriverStep hold(String reason, Purpose purpose, PendingCall call) {
    return new DriverStep.PlaceHold(reason, purpose, Optional.of(call));
  }

  private static PendingCall joined(PendingCall call) {
    return call.withJoined(true);
  }

  private static PendingCall checked(PendingCall call, boolean held, String... left) {
    return call.withCheck(new PendingCall.Check(held, List.of(left)));
  }

  @Test
  void waitsForCallsAndForTheirDeadlines() {
    assertThat(input().decide()).isEqualTo(new DriverStep.Wait(Optional.empty()));
    assertThat(input().event(EVENT).drain(running(EVENT)).with(joined(END)).decide())
        .isEqualTo(new DriverStep.Wait(Optional.of(at(30))));
  }

  @Test
  void looksForWhatAnEarlierProcessLeftWhenNobodyCalls() {
    assertThat(input().fresh().decide()).isEqualTo(new DriverStep.Resume());
    assertThat(input().fresh().with(START).decide())
        .isEqualTo(new DriverStep.Begin(START, Optional.empty()));
    assertThat(input().drain(DriverDrain.resume(EVENT, WITHOUT)).decide())
        .isEqualTo(new DriverStep.StartRun());
  }

  @Nested
  class Starting {
    @Test
    void beginsHoldsRunsAndAnswers() {
      assertThat(input().event(EVENT).with(START).decide())
          .isEqualTo(
              new DriverStep.Begin(
                  START, Optional.of(TestDriverInput.seen(EVENT, Optional.empty()))));
      PendingCall call = joined(START);
      DriverDrain begun = DriverDrain.begin(EVENT);
      assertThat(input().with(call).drain(begun).decide())
          .isEqualTo(hold("LifecycleEvent a", Purpose.FOR_EVENT, call));
      assertThat(input().event(EVENT).with(call).drain(held(EVENT)).decide())
          .isEqualTo(new DriverStep.StartRun());
      assertThat(input().event(EVENT).with(call).drain(running(EVENT)).decide())
          .isEqualTo(told(call, "drain-started"));
    }

    @Test
    void notesOnTheEventThatTheNodeIsHeldForIt() {
      DriverDrain held =
          DriverDrain.begin(EVENT)
              .identified(TestDriverInput.seen(EVENT, Optional.empty()))
              .held("LifecycleEvent a", Purpose.FOR_EVENT);

      assertThat(input().event(EVENT).with(joined(START)).drain(held).decide())
          .isEqualTo(new DriverStep.NoteHold());
      assertThat(input().event(EVENT).with(joined(START)).drain(held.withNote()).decide())
          .isEqualTo(new DriverStep.StartRun());
    }

    @Test
    void doesNotHoldAgainWhatAPersonGaveBackWhileItWasAway() {
      PendingCall call = joined(START);
      DriverDrain begun =
          DriverDrain.begin(EVENT)
              .identified(
                  new DriverInput.SeenEvent(TestClaimInput.claimed(EVENT), Optional.empty(), true));

      assertThat(input().heldBefore(EVENT).with(call).drain(begun).decide())
          .isEqualTo(new DriverStep.CheckHold(call));
      DriverDrain kept = begun.withHoldFound(new DriverDrain.HoldFound(Optional.empty()));
      assertThat(input().heldBefore(EVENT).with(call).drain(kept).decide())
          .isEqualTo(hold("LifecycleEvent a", Purpose.FOR_EVENT, call));
      DriverDrain lost = begun.withHoldFound(new DriverDrain.HoldFound(Optional.of("gone")));
      assertThat(input().heldBefore(EVENT).with(call).drain(lost).decide())
          .isEqualTo(
              new DriverStep.ChangePurpose(Purpose.STOPPED, "gone while the driver was away"));
    }

    @Test
    void waitsUntilItCanSeeWhetherTheNodeWasHeldBefore() {
      assertThat(input().unsynced().with(joined(START)).drain(DriverDrain.begin(EVENT)).decide())
          .isInstanceOf(DriverStep.Wait.class);
    }

    @Test
    void joinsADrainThatIsUnderWay() {
      assertThat(input().event(EVENT).with(START).drain(running(EVENT)).decide())
          .isEqualTo(new DriverStep.Join(START));
    }

    @Test
    void beginsAnewWhenTheDrainIsOver() {
      DriverDrain over = running(EVENT).ran(Run.DONE, "drained");
      assertThat(input().event(EVENT).with(START).drain(over).decide())
          .isInstanceOf(DriverStep.Begin.class);
    }

    @Test
    void anEventOfTheSameNameIsAnother() {
      DriverDrain earlier =
          DriverDrain.begin(EVENT)
              .identified(TestDriverInput.seen("earlier", Optional.empty()))
              .held("x", Purpose.FOR_EVENT);
      assertThat(input().unsynced().event(EVENT).with(START).drain(earlier).decide())
          .isInstanceOf(DriverStep.Begin.class);
    }

    @Test
    void takesThePlaceOfAnotherDrainOnceThatHasEnded() {
      String why = "another LifecycleEvent took its place";
      PendingCall other = joined(call(2, Kind.END_DRAIN, OTHER));
      DriverDrain drain = running(OTHER);
      assertThat(input().event(OTHER).with(START).drain(drain).decide())
          .isEqualTo(new DriverStep.ChangePurpose(Purpose.STOPPED, why));
      DriverDrain stopped = drain.withPurpose(Purpose.STOPPED, why);
      assertThat(input().with(START).drain(stopped).decide()).isEqualTo(new DriverStep.CancelRun());
      DriverDrain cancelling = stopped.ran(Run.CANCELLING, "");
      assertThat(input().with(START).with(other).drain(cancelling).decide())
          .isEqualTo(failed(other, why));
      assertThat(input().with(START).drain(cancelling).decide())
          .isInstanceOf(DriverStep.Wait.class);
      assertThat(input().with(START).drain(stopped.ran(Run.NONE, "")).decide())
          .isInstanceOf(DriverStep.Begin.class);
    }

    @Test
    void isUnavailableIfItTakesTooLong() {
      assertThat(input().now(30).with(START).drain(running(OTHER)).decide())
          .isEqualTo(
              new DriverStep.Answer(
                  START, new Reply.Unavailable("another operation on node n1 is in progress")));
    }
  }

  @Nested
  class Ending {
    private final PendingCall call = joined(END);

    @Test
    void beginsWhatAnEarlierProcessBegan() {
      assertThat(input().event(EVENT).with(END).decide()).isInstanceOf(DriverStep.Begin.class);
    }

    @Test
    void saysInTimeThatItIsStillUnderWay() {
      assertThat(input().event(EVENT).now(30).with(call).drain(running(EVENT)).decide())
          .isEqualTo(told(call, "drain-started"));
    }

    @Test
    void isOverWhenAListSaysSo() {
      DriverDrain done = running(EVENT).ran(Run.DONE, "drained");
      assertThat(input().event(EVENT).with(call).drain(done).decide())
          .isEqualTo(new DriverStep.CheckNode(call));
      PendingCall empty = checked(call, true);
      assertThat(input().event(EVENT).with(empty).drain(done).decide())
          .isEqualTo(told(empty, "drain-complete"));
    }

    @Test
    void drainsOnIfMorePodsCame() {
      PendingCall more = checked(call, true, "ns/late");
      assertThat(input().event(EVENT).with(more).drain(running(EVENT).ran(Run.DONE, "")).decide())
          .isEqualTo(new DriverStep.StartRun());
      assertThat(input().event(EVENT).with(more).drain(running(EVENT)).decide())
          .isEqualTo(told(more, "drain-started"));
    }

    @Test
    void leavesTheNodeToTheOneItWasDrainedFor() {
      DriverDrain done =
          running(EVENT)
              .identified(TestDriverInput.seen(EVENT, Optional.of("maintenance")))
              .ran(Run.DONE, "");
      PendingCall empty = checked(call, true);
      assertThat(input().event(EVENT).with(empty).drain(done).decide())
          .isEqualTo(new DriverStep.ReleaseToOther(Optional.of(empty)));
      assertThat(input().event(EVENT).with(empty).drain(done.withReleaseToOther()).decide())
          .isEqualTo(told(empty, "drain-complete"));
    }

    @Test
    void failsWithTheEngine() {
      assertThat(
              input()
                  .event(EVENT)
                  .with(call)
                  .drain(running(EVENT).ran(Run.FAILED, "no rights"))
                  .decide())
          .isEqualTo(failed(call, "no rights"));
    }
  }

  @Nested
  class Following {
    @Test
    void aDeletedEventCancelsItsDrain() {
      LifecycleEventFacts deleted = but(claimed(EVENT), TestClaimInput.Change::deleted);
      String why = "LifecycleEvent a was deleted: its drain was stopped, and node n1 ";
      assertThat(input().event(deleted).drain(running(EVENT)).decide())
          .isEqualTo(new DriverStep.ChangePurpose(Purpose.CANCELLED, why + "was released"));
      assertThat(input().keepsCancelled().drain(running(EVENT)).decide())
          .isEqualTo(new DriverStep.ChangePurpose(Purpose.CANCELLED, why + "stays held"));
    }

    @Test
    void aCancelledDrainIsStoppedBeforeTheNodeIsReleased() {
      DriverDrain cancelled = running(EVENT).withPurpose(Purpose.CANCELLED, "deleted");
      PendingCall call = joined(END);
      assertThat(input().with(call).drain(cancelled).decide())
          .isEqualTo(new DriverStep.CancelRun());
      assertThat(input().with(call).drain(cancelled.ran(Run.CANCELLING, "")).decide())
          .isInstanceOf(DriverStep.Wait.class);
      DriverDrain ended = cancelled.ran(Run.NONE, "");
      assertThat(input().with(call).drain(ended).decide()).isEqualTo(new DriverStep.Release());
      assertThat(input().keepsCancelled().with(call).drain(ended).decide())
          .isEqualTo(new DriverStep.ChangePurpose(Purpose.STOPPED, "deleted"));
      assertThat(input().with(call).drain(ended.withPurpose(Purpose.STOPPED, "deleted")).decide())
          .isEqualTo(failed(call, "deleted"));
    }

    @Test
    void anEventThatItsClaimerGaveUpStopsItsDrain() {
      LifecycleEventFacts over = but(claimed(EVENT), one -> one.claim(ClaimStatus.Failed));
      assertThat(input().event(over).drain(running(EVENT)).decide())
          .isEqualTo(
              new DriverStep.ChangePurpose(
                  Purpose.STOPPED, "its LifecycleEvent has ended: Failed"));
    }

    @Test
    void anEventThatIsGoneAfterItsDrainIsOver() {
      assertThat(input().drain(running(EVENT).ran(Run.DONE, "")).decide())
          .isEqualTo(new DriverStep.ChangePurpose(Purpose.SPENT, ""));
    }

    @Test
    void whatCannotBeSeenIsNotGone() {
      assertThat(input().unsynced().drain(running(EVENT)).decide())
          .isInstanceOf(DriverStep.Wait.class);
      assertThat(input().unreadable(EVENT).drain(running(EVENT)).decide())
          .isInstanceOf(DriverStep.Wait.class);
    }

    @Test
    void aDeletionThatWasSeenCountsWhateverElseIsUnknown() {
      LifecycleEventFacts deleted = but(claimed(EVENT), TestClaimInput.Change::deleted);

      assertThat(input().unsynced().event(deleted).drain(running(EVENT)).decide())
          .asInstanceOf(type(DriverStep.ChangePurpose.class))
          .extracting(DriverStep.ChangePurpose::purpose)
          .isEqualTo(Purpose.CANCELLED);
    }

    @Test
    void anEventThatIsSeenLaterIsNoted() {
      DriverDrain unknown = DriverDrain.begin(EVENT).held("x", Purpose.FOR_EVENT).started();
      assertThat(input().drain(unknown).decide()).isInstanceOf(DriverStep.Wait.class);
      assertThat(input().event(EVENT).drain(unknown).decide())
          .isEqualTo(new DriverStep.Identify(TestDriverInput.seen(EVENT, Optional.empty())));
    }
  }

  @Nested
  class AtSla {
    private final PendingCall call = joined(EXPIRE);

    @Test
    void stopsAndSaysWhatIsLeft() {
      assertThat(input().event(EVENT).with(EXPIRE).drain(running(EVENT)).decide())
          .isEqualTo(new DriverStep.Join(EXPIRE));
      assertThat(input().event(EVENT).with(call).drain(running(EVENT)).decide())
          .isEqualTo(
              new DriverStep.ChangePurpose(
                  Purpose.STOPPED, "the SLA of LifecycleEvent a has expired"));
      DriverDrain stopped = held(EVENT).withPurpose(Purpose.STOPPED, "over");
      assertThat(input().with(call).drain(stopped).decide())
          .isEqualTo(new DriverStep.CheckNode(call));
      PendingCall left = checked(call, true, "a/1", "a/2", "a/3", "a/4", "a/5");
      assertThat(input().with(left).drain(stopped).decide())
          .isEqualTo(
              failed(
                  left, "SLA expired with a/1, a/2, a/3 and 2 more pods left; node n1 stays held"));
      PendingCall none = checked(call, true);
      assertThat(input().with(none).drain(stopped).decide())
          .isEqualTo(told(none, "drain-complete"));
    }

    @Test
    void beginsNothingToStop() {
      assertThat(input().with(EXPIRE).decide()).isEqualTo(new DriverStep.CheckNode(EXPIRE));
      PendingCall free = checked(EXPIRE, false);
      assertThat(input().with(free).decide())
          .isEqualTo(failed(free, "SLA expired, and node n1 is not held"));
    }

    @Test
    void goesOnWithoutItsEvent() {
      DriverDrain drain = running(EVENT).left(2);
      assertThat(input().event(EVENT).atSla(SlaPolicy.CONTINUE).with(call).drain(drain).decide())
          .isEqualTo(hold(WITHOUT, Purpose.WITHOUT_EVENT, call));
      DriverDrain without = drain.held(WITHOUT, Purpose.WITHOUT_EVENT);
      assertThat(input().atSla(SlaPolicy.CONTINUE).with(call).drain(without).decide())
          .isEqualTo(
              failed(call, "SLA expired with 2 pods left; the drain continues without the event"));
    }

    @Test
    void deletesByARunOfItsOwn() {
      DriverDrain without = running(EVENT).held(WITHOUT, Purpose.WITHOUT_EVENT);
      assertThat(input().atSla(SlaPolicy.DELETE).with(call).drain(without).decide())
          .isEqualTo(new DriverStep.CancelRun());
      assertThat(
              input().atSla(SlaPolicy.DELETE).with(call).drain(without.ran(Run.NONE, "")).decide())
          .isEqualTo(new DriverStep.StartRun());
      DriverDrain deleting = without.started();
      assertThat(deleting.afterSla()).isTrue();
      assertThat(input().atSla(SlaPolicy.DELETE).with(call).drain(deleting).decide())
          .isInstanceOf(DriverStep.Wait.class);
      assertThat(
              input().atSla(SlaPolicy.DELETE).with(call).drain(deleting.ran(Run.DONE, "")).decide())
          .isEqualTo(new DriverStep.CheckNode(call));
    }

    @Test
    void aDrainThatIsOverInTimeNeedsNoPolicy() {
      for (SlaPolicy policy : List.of(SlaPolicy.CONTINUE, SlaPolicy.DELETE)) {
        DriverDrain done = running(EVENT).ran(Run.DONE, "");
        assertThat(input().event(EVENT).atSla(policy).with(call).drain(done).decide())
            .isEqualTo(new DriverStep.CheckNode(call));
      }
    }

    @Test
    void whatWentOnSaysOnItsHoldThatItIsOver() {
      DriverDrain done = DriverDrain.resume(EVENT, WITHOUT).started().ran(Run.DONE, "");
      assertThat(input().drain(done).decide())
          .isEqualTo(
              new DriverStep.PlaceHold(
                  "drained for LifecycleEvent a", Purpose.WITHOUT_EVENT, Optional.empty()));
      DriverDrain said = done.held("drained for LifecycleEvent a", Purpose.WITHOUT_EVENT);
      assertThat(input().drain(said).decide()).isInstanceOf(DriverStep.Wait.class);
    }
  }

  @Nested
  class Uncordoning {
    private final PendingCall start = call(1, Kind.START_UNCORDON, OTHER);
    private final PendingCall end = call(1, Kind.END_UNCORDON, OTHER);

    @Test
    void endsTheDrainFirst() {
      assertThat(input().event(EVENT).with(start).drain(running(EVENT)).decide())
          .isEqualTo(new DriverStep.ChangePurpose(Purpose.STOPPED, "the node was uncordoned"));
      DriverDrain ended = held(EVENT).withPurpose(Purpose.STOPPED, "the node was uncordoned");
      assertThat(input().with(start).drain(ended).decide()).isEqualTo(new DriverStep.Drop());
      assertThat(input().with(start).decide()).isEqualTo(new DriverStep.Uncordon(start));
    }

    @Test
    void answersWhenTheNodeIsGivenBack() {
      PendingCall.Uncordoned free = new PendingCall.Uncordoned(false, List.of());
      PendingCall started = start.withUncordoned(free, false);
      PendingCall over = end.withUncordoned(free, false);
      PendingCall early =
          end.withUncordoned(new PendingCall.Uncordoned(false, List.of(), true), false);
      assertThat(input().with(early).decide())
          .as("an End before its Start")
          .isEqualTo(told(early, "uncordoning"));
      assertThat(input().with(started).decide()).isEqualTo(told(started, "uncordoning"));
      assertThat(input().with(over).decide()).isEqualTo(told(over, "maintenance-complete"));
    }

    @Test
    void waitsForOthersAndSaysSo() {
      PendingCall given =
          end.withUncordoned(new PendingCall.Uncordoned(true, List.of("x", "y")), false);
      assertThat(input().with(given).decide())
          .isEqualTo(new DriverStep.WriteMessage(given, "held by x, y"));
      PendingCall messageWritten = given.withMessageWritten();
      assertThat(input().with(messageWritten).decide())
          .isEqualTo(new DriverStep.Wait(Optional.of(at(30))));
      assertThat(input().schedulable().with(messageWritten).decide())
          .isEqualTo(new DriverStep.ReadHolds(messageWritten));
      LifecycleEventFacts deleted = but(claimed(OTHER), TestClaimInput.Change::deleted);
      assertThat(input().event(deleted).with(messageWritten).decide())
          .isEqualTo(new DriverStep.ReadHolds(messageWritten));
      PendingCall again =
          messageWritten.withUncordoned(new PendingCall.Uncordoned(true, List.of("x")), true);
      assertThat(input().with(again).decide()).isEqualTo(told(again, "uncordoning"));
    }

    @Test
    void doesNotWaitPastTheTime() {
      PendingCall late =
          expired(end).withUncordoned(new PendingCall.Uncordoned(true, List.of("x")), false);
      assertThat(input().with(late).decide()).isEqualTo(told(late, "uncordoning"));
    }
  }
}
