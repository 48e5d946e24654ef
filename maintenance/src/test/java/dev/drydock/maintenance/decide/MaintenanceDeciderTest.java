package dev.drydock.maintenance.decide;

import static dev.drydock.contracts.ngn2.MaintenanceNames.COMPLETE;
import static dev.drydock.contracts.ngn2.MaintenanceNames.FAILED;
import static dev.drydock.contracts.ngn2.MaintenanceNames.INCOMPLETE;
import static dev.drydock.contracts.ngn2.MaintenanceNames.IN_PROGRESS;
import static dev.drydock.contracts.ngn2.MaintenanceNames.MAINTENANCE_CLIENT;
import static dev.drydock.contracts.ngn2.MaintenanceNames.MAINTENANCE_CONDITION;
import static dev.drydock.contracts.ngn2.MaintenanceNames.READY;
import static dev.drydock.contracts.ngn2.MaintenanceNames.TERMINATED;
import static dev.drydock.contracts.ngn2.MaintenanceNames.VALIDATED;
import static dev.drydock.contracts.ngn2.MaintenanceNames.VALIDATION_CLIENT;
import static dev.drydock.contracts.ngn2.MaintenanceNames.VALIDATION_CONDITION;
import static dev.drydock.contracts.ngn2.MaintenanceNames.label;
import static dev.drydock.maintenance.decide.TestMaintenances.ID;
import static dev.drydock.maintenance.decide.TestMaintenances.NOW;
import static dev.drydock.maintenance.decide.TestMaintenances.SLA;
import static dev.drydock.maintenance.decide.TestMaintenances.annotated;
import static dev.drydock.maintenance.decide.TestMaintenances.back;
import static dev.drydock.maintenance.decide.TestMaintenances.conditioned;
import static dev.drydock.maintenance.decide.TestMaintenances.deleted;
import static dev.drydock.maintenance.decide.TestMaintenances.due;
import static dev.drydock.maintenance.decide.TestMaintenances.in;
import static dev.drydock.maintenance.decide.TestMaintenances.input;
import static dev.drydock.maintenance.decide.TestMaintenances.node;
import static dev.drydock.maintenance.decide.TestMaintenances.out;
import static dev.drydock.maintenance.decide.TestMaintenances.terminated;
import static dev.drydock.maintenance.decide.TestMaintenances.withoutFinalizer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.decide.MaintenanceStep.Complete;
import dev.drydock.maintenance.decide.MaintenanceStep.ConditionChange;
import dev.drydock.maintenance.decide.MaintenanceStep.Forget;
import dev.drydock.maintenance.decide.MaintenanceStep.Move;
import dev.drydock.maintenance.decide.MaintenanceStep.Recordon;
import dev.drydock.maintenance.decide.MaintenanceStep.Terminate;
import dev.drydock.maintenance.decide.MaintenanceStep.Wait;
import dev.drydock.maintenance.decide.MaintenanceStep.WriteConditions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class MaintenanceDeciderTest {
  private static MaintenanceStep decide(MaintenanceFacts maintenance, MaintainedNode node) {
    return MaintenanceDecider.decide(input(maintenance, node));
  }

  private static Move move(MaintenanceState to, NoticeEvent notice, ConditionChange... conditions) {
    String message = message(to, conditions);
    return new Move(to, Optional.empty(), List.of(conditions), notice, message, waitsIn(to));
  }

  private static String message(MaintenanceState to, ConditionChange... conditions) {
    String node = in(to).node();
    return switch (to) {
      case SCHEDULED -> "maintenance of node %s is scheduled".formatted(node);
      case SLA_EXPIRED ->
          "the SLA period has ended; remaining pods on node %s may be removed by force"
              .formatted(node);
      case DRAINED -> "node %s is empty; maintenance may begin".formatted(node);
      case VALIDATING -> "the maintenance is done; node %s is being validated".formatted(node);
      case INCOMPLETE ->
          "node %s is not fit for production: %s %s"
              .formatted(node, conditions[0].type(), conditions[0].status());
      case NONE, STARTED, UNKNOWN -> throw new IllegalArgumentException(to.text());
    };
  }

  /** What is written with the move, so that nobody has to work it out again. */
  private static String waitsIn(MaintenanceState state) {
    return WaitMessages.waitingFor(state, in(state));
  }

  private static ConditionChange taken(String condition, String value) {
    return new ConditionChange(condition, value, "Annotation", "");
  }

  @Test
  void t1TakesANewOneInHandThenSchedulesIt() {
    MaintenanceFacts fresh = in(MaintenanceState.NONE);

    assertThat(decide(withoutFinalizer(fresh), node(false))).isEqualTo(new MaintenanceStep.Adopt());
    assertThat(decide(fresh, node(false)))
        .isEqualTo(move(MaintenanceState.SCHEDULED, NoticeEvent.SCHEDULED));
  }

  @ParameterizedTest
  @CsvSource({"true, true", "true, false", "false, true", "false, false"})
  void t2StartsWhenTheNodeIsBothLabelledAndCordoned(boolean cordoned, boolean labelled) {
    MaintainedNode node = labelled ? node(cordoned, label(ID)) : node(cordoned, "other");

    MaintenanceStep step = decide(in(MaintenanceState.SCHEDULED), node);

    if (cordoned && labelled) {
      assertThat(step)
          .isEqualTo(
              new Move(
                  MaintenanceState.STARTED,
                  Optional.of(NOW.plus(SLA)),
                  List.of(),
                  NoticeEvent.SLA_STARTED,
                  "node %s is labelled and cordoned; pods that remain on it after %s may be removed by force"
                      .formatted(in(MaintenanceState.STARTED).node(), NOW.plus(SLA)),
                  waitsIn(MaintenanceState.STARTED)));
    } else {
      assertThat(step).isInstanceOf(Wait.class);
    }
  }

  @Test
  void t2SharesTheDeadlineOfAMaintenanceThatRunsOnTheNode() {
    MaintenanceFacts running =
        due(in(MaintenanceState.DRAINED, "other"), Optional.of(NOW.plusSeconds(100)));

    assertThat(
            MaintenanceDecider.decide(
                input(in(MaintenanceState.SCHEDULED), Optional.of(out()), List.of(running))))
        .extracting(step -> ((Move) step).slaExpires())
        .isEqualTo(Optional.of(NOW.plusSeconds(100)));
  }

  @Test
  void t2SetsANewDeadlineWhenThatOfTheOthersIsOverOrTheyAre() {
    MaintenanceFacts late =
        due(in(MaintenanceState.SLA_EXPIRED, "a"), Optional.of(NOW.minusSeconds(1)));
    MaintenanceFacts gone = withoutFinalizer(in(MaintenanceState.DRAINED, "b"));
    MaintenanceFacts leaving = terminated(in(MaintenanceState.STARTED, "c"));

    assertThat(
            MaintenanceDecider.decide(
                input(
                    in(MaintenanceState.SCHEDULED),
                    Optional.of(out()),
                    List.of(late, gone, leaving))))
        .extracting(step -> ((Move) step).slaExpires())
        .isEqualTo(Optional.of(NOW.plus(SLA)));
  }

  @Test
  void t3ExpiresOnlyAfterTheDeadlineAndWakesForIt() {
    MaintenanceFacts due = due(in(MaintenanceState.STARTED), Optional.of(NOW));
    MaintenanceFacts late = due(in(MaintenanceState.STARTED), Optional.of(NOW.minusMillis(1)));

    assertThat(decide(due, out()))
        .extracting(step -> ((Wait) step).until())
        .isEqualTo(Optional.of(NOW.plus(Duration.ofMillis(1))));
    assertThat(decide(late, out()))
        .isEqualTo(move(MaintenanceState.SLA_EXPIRED, NoticeEvent.SLA_EXPIRED));
  }

  @ParameterizedTest
  @EnumSource(names = {"STARTED", "SLA_EXPIRED"})
  void t4IsDrainedWhenTheDrainerSaysSo(MaintenanceState state) {
    assertThat(decide(annotated(in(state), Map.of(READY, "true")), out()))
        .isEqualTo(
            move(
                MaintenanceState.DRAINED,
                NoticeEvent.OBJECTS_DRAINED,
                taken("readyForMaintenance", "true")));
    assertThat(decide(annotated(in(state), Map.of(READY, "false")), out()))
        .isInstanceOf(Wait.class);
  }

  @Test
  void t5ToT7FollowTheMaintenanceClient() {
    assertThat(said(MaintenanceState.DRAINED, MAINTENANCE_CLIENT, COMPLETE))
        .isEqualTo(
            move(
                MaintenanceState.VALIDATING,
                NoticeEvent.VALIDATING,
                taken(MAINTENANCE_CONDITION, COMPLETE)));
    assertThat(said(MaintenanceState.DRAINED, MAINTENANCE_CLIENT, INCOMPLETE))
        .isEqualTo(
            move(
                MaintenanceState.INCOMPLETE,
                NoticeEvent.MAINTENANCE_INCOMPLETE,
                taken(MAINTENANCE_CONDITION, INCOMPLETE)));
    assertThat(said(MaintenanceState.DRAINED, MAINTENANCE_CLIENT, IN_PROGRESS))
        .isEqualTo(new WriteConditions(List.of(taken(MAINTENANCE_CONDITION, IN_PROGRESS))));
  }

  @Test
  void t8AndT9FollowTheValidationClient() {
    assertThat(said(MaintenanceState.VALIDATING, VALIDATION_CLIENT, FAILED))
        .isEqualTo(
            move(
                MaintenanceState.INCOMPLETE,
                NoticeEvent.MAINTENANCE_INCOMPLETE,
                taken(VALIDATION_CONDITION, FAILED)));
    for (String value : List.of(VALIDATED, IN_PROGRESS)) {
      assertThat(said(MaintenanceState.VALIDATING, VALIDATION_CLIENT, value))
          .isEqualTo(
              new WriteConditions(
                  List.of(taken(VALIDATION_CONDITION, value)),
                  value.equals(VALIDATED)
                      ? "someone to delete this object and uncordon node n1"
                      : ""));
    }
  }

  private static MaintenanceStep said(MaintenanceState state, String annotation, String value) {
    return decide(annotated(in(state), Map.of(annotation, value)), out());
  }

  @Test
  void whatWasTakenOverIsNotTakenTwice() {
    MaintenanceFacts known =
        conditioned(
            annotated(in(MaintenanceState.VALIDATING), Map.of(VALIDATION_CLIENT, VALIDATED)),
            Map.of(VALIDATION_CONDITION, VALIDATED));

    assertThat(decide(known, out())).isInstanceOf(Wait.class);
  }

  @ParameterizedTest
  @EnumSource(names = {"NONE", "SCHEDULED"})
  void t10ForgetsWhatNeverBeganAndTakesItsLabelAlong(MaintenanceState state) {
    assertThat(decide(deleted(in(state)), out())).isEqualTo(new Forget(Set.of(label(ID))));
    assertThat(decide(deleted(in(state)), node(true, "other"))).isEqualTo(new Forget(Set.of()));
    assertThat(MaintenanceDecider.decide(input(deleted(in(state)), Optional.empty(), List.of())))
        .isEqualTo(new Forget(Set.of()));
  }

  @ParameterizedTest
  @CsvSource({
    "STARTED, MAINTENANCE_CANCELLED",
    "SLA_EXPIRED, MAINTENANCE_CANCELLED",
    "DRAINED, MAINTENANCE_ENDED",
    "VALIDATING, MAINTENANCE_ENDED",
    "INCOMPLETE, MAINTENANCE_ENDED",
    "UNKNOWN, MAINTENANCE_ENDED"
  })
  void t11AndT12TellTheDeletionAndThenWaitForTheNode(MaintenanceState state, NoticeEvent notice) {
    assertThat(decide(deleted(in(state)), out())).isEqualTo(new Terminate(notice));
    assertThat(decide(deleted(in(state)), back())).isEqualTo(new Terminate(notice));
    assertThat(decide(terminated(in(state)), out()))
        .isEqualTo(new Wait(Optional.empty(), "node n1 to be uncordoned"));
  }

  @ParameterizedTest
  @CsvSource({
    "STARTED, true",
    "SLA_EXPIRED, true",
    "DRAINED, false",
    "VALIDATING, false",
    "INCOMPLETE, false"
  })
  void t13CompletesWhenTheNodeIsBack(MaintenanceState state, boolean cancelled) {
    assertThat(decide(terminated(in(state)), back()))
        .isEqualTo(new Complete(Set.of(label(ID)), cancelled, false));
    assertThat(decide(terminated(in(state)), node(false)))
        .isEqualTo(new Complete(Set.of(), cancelled, false));
    assertThat(decide(in(state), back()))
        .isEqualTo(new Complete(Set.of(label(ID)), false, state != MaintenanceState.INCOMPLETE));
  }

  @Test
  void t13ComesBeforeWhatClientsSay() {
    MaintenanceFacts late =
        due(
            annotated(in(MaintenanceState.STARTED), Map.of(READY, "true")),
            Optional.of(NOW.minusSeconds(1)));

    assertThat(decide(late, back())).isInstanceOf(Complete.class);
  }

  @Test
  void aNodeThatPassedMayComeBackBeforeTheDeletion() {
    MaintenanceFacts fit =
        annotated(in(MaintenanceState.VALIDATING), Map.of(VALIDATION_CLIENT, VALIDATED));

    assertThat(decide(fit, back())).isEqualTo(new Complete(Set.of(label(ID)), false, false));
  }

  private static MaintenanceFacts completed(MaintenanceFacts of) {
    return conditioned(of, Map.of(AdvisoryConditions.COMPLETED, "true"));
  }

  @Test
  void whatIsOverStaysOver() {
    for (MaintenanceState state : MaintenanceState.values()) {
      if (state.hasBegun()) {
        MaintenanceFacts over =
            due(withoutFinalizer(completed(in(state))), Optional.of(NOW.minusSeconds(1)));
        assertThat(decide(over, out())).isEqualTo(new Wait(Optional.empty(), ""));
        assertThat(decide(deleted(over), back())).isEqualTo(new Wait(Optional.empty(), ""));
      }
    }
  }

  @Test
  void aMissingFinalizerIsPutBackAndMeansNothingElse() {
    for (MaintenanceState state : MaintenanceState.values()) {
      if (state.hasBegun()) {
        MaintenanceFacts lost = withoutFinalizer(in(state));
        assertThat(decide(lost, out())).isEqualTo(new MaintenanceStep.Restore());
        assertThat(decide(lost, back())).isEqualTo(new MaintenanceStep.Restore());
        assertThat(MaintenanceDecider.decide(input(lost, Optional.empty(), List.of())))
            .isEqualTo(new MaintenanceStep.Restore());
        assertThat(decide(deleted(lost), out()))
            .as("held by another finalizer")
            .isInstanceOf(MaintenanceStep.Terminate.class);
      }
    }
  }

  @Test
  void whatTheControllerOfThisApiHasEndedIsRecordedAsOver() {
    for (MaintenanceState state : MaintenanceState.values()) {
      if (state.hasBegun()) {
        assertThat(decide(withoutFinalizer(in(state)), node(false)))
            .isEqualTo(new MaintenanceStep.Settle());
      }
    }
  }

  @Test
  void uncordonedMidwayIsCordonedAgainIfTheRulesSaySo() {
    MaintenanceInput.Rules recordon = new MaintenanceInput.Rules(SLA, true);
    for (MaintenanceState state : MaintenanceState.values()) {
      MaintenanceInput input =
          new MaintenanceInput(in(state), Optional.of(back()), List.of(), recordon, NOW);
      if (state.isInProgress()) {
        assertThat(MaintenanceDecider.decide(input)).isEqualTo(new Recordon());
      } else {
        assertThat(MaintenanceDecider.decide(input)).isNotInstanceOf(Recordon.class);
      }
    }
  }

  @Test
  void e1IsFinishedWithoutItsNode() {
    assertThat(
            MaintenanceDecider.decide(
                input(deleted(in(MaintenanceState.DRAINED)), Optional.empty(), List.of())))
        .isEqualTo(new Terminate(NoticeEvent.MAINTENANCE_ENDED));
    assertThat(
            MaintenanceDecider.decide(
                input(terminated(in(MaintenanceState.STARTED)), Optional.empty(), List.of())))
        .isEqualTo(new Complete(Set.of(), true, false));
  }

  @Test
  void e2SaysThatTheNodeIsGoneAndThatItIsBack() {
    MaintenanceFacts drained = in(MaintenanceState.DRAINED);
    MaintenanceFacts told = conditioned(drained, Map.of(AdvisoryConditions.NODE_FOUND, "false"));

    assertThat(MaintenanceDecider.decide(input(drained, Optional.empty(), List.of())))
        .isInstanceOfSatisfying(
            WriteConditions.class,
            write ->
                assertThat(write.conditions())
                    .extracting(
                        ConditionChange::type, ConditionChange::status, ConditionChange::reason)
                    .containsExactly(tuple("nodeFound", "false", "NodeGone")));
    assertThat(MaintenanceDecider.decide(input(told, Optional.empty(), List.of())))
        .isInstanceOf(Wait.class);
    assertThat(decide(told, out()))
        .isEqualTo(
            new WriteConditions(
                List.of(new ConditionChange("nodeFound", "true", "NodeFound", ""))));
  }

  @Test
  void e3RemovesOnlyItsOwnLabelWhileAnotherMaintenanceIsUnderWay() {
    MaintenanceFacts other = in(MaintenanceState.DRAINED, "bios");
    MaintenanceFacts planned = in(MaintenanceState.SCHEDULED, "later");
    MaintainedNode node =
        node(false, label(ID), label("bios"), label("later"), label("stray"), "cordoned-by", "x");

    assertThat(
            MaintenanceDecider.decide(
                input(
                    terminated(in(MaintenanceState.DRAINED)),
                    Optional.of(node),
                    List.of(other, planned))))
        .isEqualTo(new Complete(Set.of(label(ID)), false, false));
    assertThat(
            MaintenanceDecider.decide(
                input(
                    terminated(in(MaintenanceState.DRAINED)),
                    Optional.of(node),
                    List.of(withoutFinalizer(completed(other)), planned))))
        .isEqualTo(
            new Complete(
                Set.of(label(ID), label("bios"), label("stray"), "cordoned-by"), false, false));
  }

  @Test
  void e5SaysThatTheLabelIsGoneAndGoesOnWhenDeleted() {
    MaintenanceFacts started = in(MaintenanceState.STARTED);

    assertThat(decide(started, node(true, "x")))
        .isInstanceOfSatisfying(
            WriteConditions.class,
            write ->
                assertThat(write.conditions())
                    .extracting(ConditionChange::reason)
                    .containsExactly("LabelRemoved"));
    assertThat(decide(terminated(started), node(false, "x")))
        .isEqualTo(new Complete(Set.of(), true, false));
  }

  @Test
  void e11KeepsTheFirstFinalWord() {
    MaintenanceFacts changed =
        conditioned(
            annotated(in(MaintenanceState.VALIDATING), Map.of(VALIDATION_CLIENT, FAILED)),
            Map.of(VALIDATION_CONDITION, VALIDATED));

    assertThat(decide(changed, out()))
        .isEqualTo(
            new WriteConditions(
                List.of(
                    ConditionChange.warning(
                        "annotationRefused",
                        "true",
                        MaintenanceEvent.FinalValueChanged,
                        "maintenance/validationClient=failed is ignored: the value validated is final"))));
  }

  @Test
  void anIllegalWordMovesNothingAndIsNamed() {
    assertThat(said(MaintenanceState.DRAINED, MAINTENANCE_CLIENT, "done"))
        .isEqualTo(
            new WriteConditions(
                List.of(
                    ConditionChange.warning(
                        "annotationRefused",
                        "true",
                        MaintenanceEvent.IllegalValue,
                        "maintenance/maintenanceClient=done is not one of inprogress, complete, incomplete"))));
  }

  @Test
  void terminatedMaintenancesNoLongerMove() {
    for (MaintenanceState state : MaintenanceState.values()) {
      if (state.hasBegun()) {
        MaintenanceFacts leaving =
            annotated(
                deleted(due(in(state), Optional.of(NOW.minusSeconds(1)))),
                Map.of(
                    TERMINATED,
                    "",
                    READY,
                    "true",
                    MAINTENANCE_CLIENT,
                    COMPLETE,
                    VALIDATION_CLIENT,
                    FAILED));
        assertThat(decide(leaving, out())).isInstanceOf(Wait.class);
      }
    }
  }
}
