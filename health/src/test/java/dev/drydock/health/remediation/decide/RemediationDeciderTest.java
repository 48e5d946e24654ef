package dev.drydock.health.remediation.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.health.HealthNames;
import dev.drydock.contracts.health.RecommendedAction;
import dev.drydock.health.decide.StateLabel;
import dev.drydock.health.remediation.decide.AttemptEnd.Result;
import dev.drydock.health.remediation.decide.RemediationNote.Kind;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RemediationDeciderTest {
  private static final RecommendedAction RESTART_VM = RecommendedAction.RESTART_VM;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final RemediationModel model = RemediationModel.standard();

  @Test
  void nothingIsDoneAboutAHealthyNode() {
    assertThat(model.settle()).isEqualTo(new RemediationStep.Wait("", Optional.empty()));
    assertThat(model.steps).hasSize(1);
  }

  @Test
  void anAttemptIsCountedThenMadeThenTold() {
    String event = model.drained(RESTART_VM);

    model.settle();

    assertThat(model.steps)
        .extracting(step -> step.getClass().getSimpleName())
        .containsExactly("Write", "Make", "Write", "Conclude", "Wait");
    assertThat(((RemediationStep.Write) model.steps.getFirst()).label())
        .contains(StateLabel.REMEDIATING);
    assertThat(model.label).isEqualTo(StateLabel.REMEDIATION_SUCCEEDED.word());
    assertThat(model.made).containsExactly("RebootNode maintenance-node1-" + event);
    assertThat(model.remediated(event)).contains(true);
    assertThat(model.told()).containsExactly(Kind.STARTED);
  }

  @Test
  void whatWasCountedAndNotMadeIsMadeOnce() {
    model.drained(RESTART_VM);
    model.carryOut(model.decide()); // and the process dies

    model.settle();

    assertThat(model.made).hasSize(1);
    assertThat(model.last().number()).isEqualTo(1);
  }

  @Test
  void whatWasMadeAndNotWrittenDownIsNotMadeAgain() {
    model.drained(RESTART_VM);
    model.carryOut(model.decide());
    model.carryOut(model.decide()); // made, and the process dies

    model.settle();

    assertThat(model.made).hasSize(1);
    assertThat(model.last().made()).isTrue();
  }

  @Test
  void anUnknownResourceIsWaitedFor() {
    model.drained(RESTART_VM);
    model.carryOut(model.decide());
    model.resources.put(model.last().resource(), new ResourceProgress.Unknown("not listed"));

    assertThat(model.settle().why()).contains("RebootNode");
    assertThat(model.made).isEmpty();
  }

  @Test
  void allEventsOfAGroupShareAResource() {
    List<String> flood = List.of(model.drained(RESTART_VM), model.drained(RESTART_VM));

    model.settle();

    assertThat(model.made).hasSize(1);
    assertThat(flood).allSatisfy(event -> assertThat(model.remediated(event)).contains(true));
  }

  @Test
  void anEventDuringTheWorkIsLookedAtWhenItEnds() {
    model.drained(RESTART_VM);
    model.settle();
    model.pass(MINUTE);
    String before = model.drained(RESTART_VM);
    model.pass(MINUTE);
    Instant restarted = model.now;
    model.pass(MINUTE);
    String after = model.drained(RESTART_VM);
    model.settle();
    assertThat(model.made).hasSize(1);
    assertThat(model.remediated(before)).isEmpty();
    assertThat(model.remediated(after)).isEmpty();

    model.end(Result.DONE, restarted);
    model.settle();

    assertThat(model.remediated(before)).as("the restart was about it").contains(true);
    assertThat(model.made)
        .containsExactly(
            "RebootNode maintenance-node1-e1", "RebootNode maintenance-node1-" + after);
    assertThat(model.last().number()).isEqualTo(2);
  }

  @Test
  void aDoneResourceIsNoSuccessUntilTheNodeIsHealthy() {
    String event = model.drained(RESTART_VM);
    model.settle();
    model.end(Result.DONE, model.now);
    model.settle();
    assertThat(model.told()).containsExactly(Kind.STARTED, Kind.DONE);
    assertThat(model.label).isEqualTo(StateLabel.REMEDIATION_SUCCEEDED.word());
    assertThat(model.last().outcome()).isEmpty();

    model.cleared(event);
    model.settle();

    assertThat(model.told()).containsExactly(Kind.STARTED, Kind.DONE, Kind.RECOVERED);
    assertThat(model.journal.isSettled()).isTrue();
    assertThat(model.settle()).isEqualTo(new RemediationStep.Wait("", Optional.empty()));
  }

  @Test
  void aFailedResourceIsTriedAgainLaterUnderAnotherNameUntilTheLimit() {
    String event = model.drained(RESTART_VM);
    model.settle();
    for (int number = 1; number <= 2; number++) {
      model.end(Result.FAILED, model.now);
      assertThat(model.settle().until()).contains(model.now.plus(MINUTE.multipliedBy(number)));
      assertThat(model.label).isEqualTo(StateLabel.REMEDIATION_FAILED.word());
      assertThat(model.remediated(event)).contains(false);
      model.pass(MINUTE.multipliedBy(number));
      model.settle();
      assertThat(model.label).isEqualTo(StateLabel.REMEDIATION_SUCCEEDED.word());
      assertThat(model.remediated(event)).contains(true);
    }
    assertThat(model.made)
        .containsExactly(
            "RebootNode maintenance-node1-e1",
            "RebootNode maintenance-node1-e1-2",
            "RebootNode maintenance-node1-e1-3");

    model.end(Result.FAILED, model.now);
    model.settle();
    model.pass(Duration.ofDays(1));

    assertThat(model.settle().until()).isEmpty();
    assertThat(model.made).hasSize(3);
    assertThat(model.label).isEqualTo(StateLabel.REMEDIATION_FAILED.word());
    assertThat(model.remediated(model.drained(RESTART_VM))).isEmpty();
    model.settle();
    assertThat(model.made).hasSize(3);
    assertThat(model.documents.values())
        .allMatch(each -> each.remediated().equals(Optional.of(false)));
  }

  @Test
  void withoutALimitItGoesOnEverMoreSlowly() {
    RemediationModel unlimited = RemediationModel.limited(0);
    unlimited.drained(RESTART_VM);
    unlimited.settle();
    for (int i = 0; i < 30; i++) {
      unlimited.end(Result.FAILED, unlimited.now);
      Instant next = unlimited.settle().until().orElseThrow();
      assertThat(Duration.between(unlimited.now, next)).isBetween(MINUTE, Duration.ofHours(1));
      unlimited.now = next;
      unlimited.settle();
    }
    assertThat(unlimited.made).hasSize(31).doesNotHaveDuplicates();
    assertThat(unlimited.journal.attempts()).hasSizeLessThanOrEqualTo(20);
  }

  @Test
  void aPermanentFailureIsNotTriedAgainForTheSameEvents() {
    model.drained(RESTART_VM);
    model.settle();
    model.end(Result.FAILED_FOR_GOOD, model.now);

    assertThat(model.settle().until()).isEmpty();
    model.pass(Duration.ofDays(1));
    model.settle();
    assertThat(model.made).hasSize(1);

    model.drained(RESTART_VM);
    model.settle();
    assertThat(model.made).hasSize(2);
  }

  @Test
  void whatSomebodyHasDeletedIsNotMadeAgainWithoutANewFailure() {
    String event = model.drained(RESTART_VM);
    model.settle();
    model.resources.clear();
    model.settle();
    assertThat(model.told()).containsExactly(Kind.STARTED, Kind.GONE);
    assertThat(model.made).hasSize(1);
    assertThat(model.remediated(event)).contains(true);

    model.pass(MINUTE);
    model.drained(RESTART_VM);
    model.settle();
    assertThat(model.made).hasSize(2);
  }

  @Test
  void documentsOfAnEarlierQuarantineAreNeverActedOn() {
    String old = model.drained(RESTART_VM);
    model.released(false);
    model.settle();
    model.pass(MINUTE);
    model.drained(model.fault(RecommendedAction.NONE));

    model.settle();

    assertThat(model.made).isEmpty();
    assertThat(model.remediated(old)).isEmpty();
  }

  @Test
  void ofForeignDocumentsOnlyThoseCountThatTheNodeTellsOf() {
    String tracked = model.drained(RESTART_VM);
    RemediationDocument document = model.document(tracked);
    model.documents.put(
        tracked,
        new RemediationDocument(document.event(), document.created(), "", Optional.empty()));
    String other = "e9";
    model.documents.put(
        other,
        new RemediationDocument(
            document.event().toBuilder().id(other).build(), model.now, "", Optional.empty()));

    model.settle();

    assertThat(model.remediated(tracked)).contains(true);
    assertThat(model.remediated(other)).isEmpty();
  }

  @Test
  void nothingIsDoneAboutAFailureThatWasCleared() {
    String first = model.drained(RecommendedAction.CONTACT_SUPPORT);
    String second = model.drained(RESTART_VM);
    model.cleared(second);

    model.settle();

    assertThat(model.made).isEmpty();
    assertThat(model.remediated(first)).contains(false);
    assertThat(model.remediated(second)).isEmpty();
  }

  @Test
  void aFailureThatIsClearedBeforeItsResourceIsMadeNeedsNone() {
    model.drained(RecommendedAction.CONTACT_SUPPORT);
    model.settle();
    String second = model.drained(RESTART_VM);
    model.carryOut(model.decide());
    model.cleared(second);

    model.settle();

    assertThat(model.made).isEmpty();
    assertThat(model.journal.open()).isEmpty();
  }

  @Test
  void healthyEventsAndEventsWithoutAnActionAskForNothing() {
    String none = model.drained(RecommendedAction.NONE);
    String healthy = model.drained(model.fault(RESTART_VM).isHealthy(true));

    model.settle();

    assertThat(model.steps).hasSize(1);
    assertThat(model.remediated(none)).isEmpty();
    assertThat(model.remediated(healthy)).isEmpty();
    assertThat(model.label).isEqualTo("drain-succeeded");
  }

  @Test
  void anActionWithoutAResourceFails() {
    String event = model.drained(RecommendedAction.CONTACT_SUPPORT);

    model.settle();

    assertThat(model.steps.getFirst())
        .isEqualTo(
            new RemediationStep.Conclude(
                Map.of(event, Optional.of(RemediationStep.Refusal.UNSUPPORTED))));
    assertThat(model.label).isEqualTo(StateLabel.REMEDIATION_FAILED.word());
    assertThat(model.remediated(event)).contains(false);
  }

  @Test
  void aPartOfANodeIsResetOnlyIfTheEventNamesIt() {
    String without = model.drained(RecommendedAction.COMPONENT_RESET);
    String first =
        model.drained(
            model
                .fault(RecommendedAction.COMPONENT_RESET)
                .entity("PCI", "0")
                .entity("GPU_UUID", "a"));
    String second =
        model.drained(model.fault(RecommendedAction.COMPONENT_RESET).entity("GPU_UUID", "b"));

    model.settle();

    assertThat(model.remediated(without)).contains(false);
    assertThat(model.made)
        .containsExactly(
            "GPUReset maintenance-node1-" + first, "GPUReset maintenance-node1-" + second);
    assertThat(model.journal.attempts())
        .extracting(RemediationAttempt::group)
        .containsExactly("reset-a", "reset-b");
  }

  @Test
  void aStrongerResourceCoversAWeakerOneAndNotTheOtherWayRound() {
    model.drained(RESTART_VM);
    String weaker =
        model.drained(model.fault(RecommendedAction.COMPONENT_RESET).entity("GPU_UUID", "a"));
    model.settle();
    assertThat(model.made).hasSize(1);
    assertThat(model.remediated(weaker)).contains(true);

    RemediationModel other = RemediationModel.standard();
    other.drained(other.fault(RecommendedAction.COMPONENT_RESET).entity("GPU_UUID", "a"));
    other.settle();
    other.drained(RESTART_VM);
    other.settle();
    assertThat(other.made).hasSize(2);
  }

  @Test
  void anEndInTheSecondOfTheBeginningIsNotBeforeIt() {
    model.pass(Duration.ofMillis(500));
    model.drained(RESTART_VM);
    model.settle();
    model.end(AttemptEnd.failed(model.now.truncatedTo(ChronoUnit.SECONDS), "why"));

    model.settle();

    assertThat(model.label).isEqualTo(StateLabel.REMEDIATION_FAILED.word());
    assertThat(model.made).as("tried again later").hasSize(1);
  }

  @Test
  void actionsOfAComponentCountFirst() {
    RemediationModel own =
        new RemediationModel(
            new RemediationActions(
                Map.of("RESTART_VM", RemediationModel.RESTART),
                Map.of(
                    "GPU",
                    Map.of(
                        "RESTART_VM",
                        new RemediationAction(
                            RemediationModel.RESET, "x", "own", Optional.empty(), List.of()))),
                Optional.empty(),
                3));
    own.drained(RESTART_VM);
    own.drained(own.fault(RESTART_VM).componentClass("NIC"));

    own.settle();

    assertThat(own.made)
        .containsExactly("GPUReset maintenance-node1-e1", "RebootNode maintenance-node1-e2");
  }

  @Test
  void withoutAFileEveryActionIsAMaintenanceExceptThatOfAMaintenanceRequest() {
    RemediationModel always =
        new RemediationModel(RemediationActions.always(RemediationModel.REBOOT));
    String requested =
        always.drained(
            always.fault(RESTART_VM).metadata(HealthNames.MAINTENANCE_REQUEST_UID, "1-2"));
    always.settle();
    assertThat(always.made).isEmpty();
    assertThat(always.remediated(requested)).isEmpty();

    always.drained(RecommendedAction.CONTACT_SUPPORT);
    always.settle();
    assertThat(always.made).hasSize(1);
  }

  @Test
  void theCordKeepsNewWorkFromBeginningAndNothingElse() {
    model.drained(RESTART_VM);
    model.settle();
    model.stopped = Optional.of("stopped by kim");
    model.pass(MINUTE);
    model.drained(model.fault(RecommendedAction.COMPONENT_RESET).entity("GPU_UUID", "x"));
    model.end(Result.FAILED, model.now);
    assertThat(model.settle().why()).isEqualTo("stopped by kim");
    assertThat(model.label)
        .as("what is known is written")
        .isEqualTo(StateLabel.REMEDIATION_FAILED.word());
    model.pass(MINUTE);
    assertThat(model.settle().why()).isEqualTo("stopped by kim");
    assertThat(model.made).hasSize(1);

    model.stopped = Optional.empty();
    model.settle();
    assertThat(model.made).as("the restart covers the reset").hasSize(2);
  }

  @Test
  void theCordAlsoKeepsFromBeingMadeWhatWasCounted() {
    model.drained(RESTART_VM);
    model.carryOut(model.decide());
    model.stopped = Optional.of("stopped by kim");

    assertThat(model.settle().why()).isEqualTo("stopped by kim");
    assertThat(model.made).isEmpty();
    assertThat(model.label).isEqualTo(StateLabel.REMEDIATING.word());
  }

  @Test
  void nobodyWhoServesIsToldOnceAndTakenBack() {
    model.drained(RESTART_VM);
    model.settle();
    model.pending(false, false);
    Instant due = model.last().at().plus(RemediationDecider.SERVED_WITHIN);
    assertThat(model.settle().until()).contains(due);
    model.now = due;
    model.settle();
    model.settle();
    assertThat(model.told()).containsExactly(Kind.STARTED, Kind.UNSERVED);
    assertThat(model.last().unserved()).isTrue();

    model.pending(true, false);
    model.settle();
    assertThat(model.last().unserved()).isFalse();
  }

  @Test
  void workThatHasNotBegunIsTakenBackWhenTheNodeIsHealthy() {
    String event = model.drained(RESTART_VM);
    model.settle();
    model.pending(true, true);
    model.cleared(event);

    model.settle();

    assertThat(model.resources).isEmpty();
    assertThat(model.journal.isSettled()).isTrue();
    assertThat(model.told()).doesNotContain(Kind.GONE).contains(Kind.RECOVERED);
  }

  @Test
  void workThatGoesOnAfterTheQuarantineKeepsTheNextOneFromBeginning() {
    model.drained(RESTART_VM);
    model.settle();
    model.released(true);
    model.settle();
    assertThat(model.told()).containsExactly(Kind.STARTED, Kind.CANCELLED);
    assertThat(model.journal.isSettled()).as("it is followed").isFalse();
    model.pass(MINUTE);
    String next = model.drained(RESTART_VM);
    model.settle();
    assertThat(model.made).hasSize(1);

    model.end(Result.FAILED, model.now);
    model.settle();

    assertThat(model.made).hasSize(2);
    assertThat(model.last().event()).isEqualTo(next);
    assertThat(model.last().number()).as("counted anew").isEqualTo(1);
  }

  @Test
  void whatWasCountedIsDroppedWhenTheQuarantineEnds() {
    model.drained(RESTART_VM);
    model.carryOut(model.decide());
    model.released(false);

    model.settle();

    assertThat(model.made).isEmpty();
    assertThat(model.journal.isSettled()).isTrue();
  }

  @Test
  void anUnknownResourceKeepsAnEndFromBeingWritten() {
    model.drained(RESTART_VM);
    model.settle();
    model.resources.put(model.last().resource(), new ResourceProgress.Unknown("no watch"));
    model.released(false);

    assertThat(model.settle().why()).contains("no watch");
    assertThat(model.last().outcome()).isEmpty();
  }

  @Test
  void theLabelFollowsTheFailuresThatAreLeft() {
    model.drained(RESTART_VM);
    String unsupported = model.drained(RecommendedAction.CONTACT_SUPPORT);
    model.settle();
    assertThat(model.label).isEqualTo(StateLabel.REMEDIATION_FAILED.word());

    model.cleared(unsupported);
    model.settle();

    assertThat(model.label).isEqualTo(StateLabel.REMEDIATION_SUCCEEDED.word());
  }

  @Test
  void theLabelOfADrainInProgressIsLeftAlone() {
    model.drained(RESTART_VM);
    model.settle();
    model.label = "draining";
    model.settle();
    assertThat(model.label).isEqualTo("draining");
  }

  @ParameterizedTest
  @EnumSource(Result.class)
  void everyEndIsWrittenDownAlsoIfItWasNotKnownThatItWasMade(Result result) {
    model.drained(RESTART_VM);
    model.carryOut(model.decide());
    model.end(result, model.now);

    model.settle();

    assertThat(model.journal.attempts().getFirst().end().orElseThrow().result()).isEqualTo(result);
  }

  @Test
  void namesAreThoseOfObjects() {
    model.drained(model.fault(RESTART_VM).id("Event_7/x"));
    model.settle();
    assertThat(model.made).containsExactly("RebootNode maintenance-node1-event-7-x");
  }
}
