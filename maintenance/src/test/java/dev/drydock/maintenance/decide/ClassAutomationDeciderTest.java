package dev.drydock.maintenance.decide;

import static dev.drydock.contracts.ngn2.MaintenanceNames.MAINTENANCE_CLIENT;
import static dev.drydock.contracts.ngn2.MaintenanceNames.VALIDATED;
import static dev.drydock.contracts.ngn2.MaintenanceNames.VALIDATION_CLIENT;
import static dev.drydock.contracts.ngn2.MaintenanceNames.VALIDATION_CONDITION;
import static dev.drydock.maintenance.decide.TestMaintenances.NOW;
import static dev.drydock.maintenance.decide.TestMaintenances.annotated;
import static dev.drydock.maintenance.decide.TestMaintenances.conditioned;
import static dev.drydock.maintenance.decide.TestMaintenances.deleted;
import static dev.drydock.maintenance.decide.TestMaintenances.in;
import static dev.drydock.maintenance.decide.TestMaintenances.withoutFinalizer;
import static org.assertj.core.api.Assertions.assertThat;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt.Stage;
import dev.drydock.maintenance.decide.ClassAutomationInput.DrainProgress;
import dev.drydock.maintenance.decide.ClassAutomationInput.NodeState;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import dev.drydock.maintenance.decide.ClassAutomationStep.Run;
import dev.drydock.maintenance.decide.ClassAutomationStep.Say;
import dev.drydock.maintenance.decide.ClassAutomationStep.Wait;
import dev.drydock.maintenance.decide.ClassFacts.Proof;
import dev.drydock.maintenance.decide.ClassFacts.Prover;
import dev.drydock.maintenance.decide.ClassFacts.Work;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClassAutomationDeciderTest {
  private static final ClassFacts JOBS =
      new ClassFacts(
          false,
          Work.JOB,
          new Proof(Prover.JOB, Duration.ofMinutes(10), 1),
          Optional.of(Duration.ofHours(8)));
  private static final NodeState OURS = new NodeState(true, true, true, true, false);
  private static final NodeState FREE = new NodeState(false, false, false, true, false);

  /** An input with everything in order, to be changed where a test wants it. */
  private record Given(
      MaintenanceFacts maintenance,
      Optional<ClassFacts> maintenanceClass,
      Optional<NodeState> node,
      DrainProgress drain,
      List<Attempt> work,
      List<Attempt> proof,
      Obstacles obstacles) {
    static Given of(MaintenanceFacts maintenance) {
      return new Given(
          maintenance,
          Optional.of(JOBS),
          Optional.of(maintenance.state().hasBegun() ? OURS : FREE),
          new DrainProgress.NotBegun(),
          List.of(),
          List.of(),
          Obstacles.NONE);
    }

    Given maintenanceClass(Optional<ClassFacts> other) {
      return new Given(maintenance, other, node, drain, work, proof, obstacles);
    }

    Given node(NodeState other) {
      return new Given(
          maintenance, maintenanceClass, Optional.of(other), drain, work, proof, obstacles);
    }

    Given drain(DrainProgress other) {
      return new Given(maintenance, maintenanceClass, node, other, work, proof, obstacles);
    }

    Given work(Attempt... attempts) {
      return new Given(
          maintenance, maintenanceClass, node, drain, List.of(attempts), proof, obstacles);
    }

    Given proof(Attempt... attempts) {
      return new Given(
          maintenance, maintenanceClass, node, drain, work, List.of(attempts), obstacles);
    }

    Given obstacles(Obstacles other) {
      return new Given(maintenance, maintenanceClass, node, drain, work, proof, other);
    }

    ClassAutomationInput input() {
      return new ClassAutomationInput(
          maintenance,
          maintenanceClass,
          node,
          drain,
          work,
          proof,
          obstacles.leave(),
          obstacles.busyWith(),
          obstacles.stopped(),
          NOW.minus(Duration.ofHours(1)),
          NOW);
    }

    ClassAutomationStep decide() {
      return ClassAutomationDecider.decide(input());
    }
  }

  private record Obstacles(
      Optional<String> leave, Optional<String> busyWith, Optional<String> stopped) {
    static final Obstacles NONE =
        new Obstacles(Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static Attempt attempt(int number, Stage stage) {
    return new Attempt(
        number, "job-" + number, stage, NOW, stage == Stage.FAILED ? "exit code 3" : "");
  }

  private static MaintenanceFacts said(MaintenanceState state, String annotation) {
    return annotated(in(state), Map.of(annotation, "inprogress"));
  }

  /** For each client, the maintenances in which it says that its step has passed. */
  private static Map<ClientAnnotation, List<Given>> claims() {
    Map<ClientAnnotation, List<Given>> claims = new EnumMap<>(ClientAnnotation.class);
    for (MaintenanceState state : MaintenanceState.values()) {
      ClientAnnotation.awaitedIn(state)
          .ifPresent(
              as ->
                  claims
                      .computeIfAbsent(as, _ -> new ArrayList<>())
                      .add(Given.of(annotated(in(state), Map.of(as.annotation(), as.passed())))));
    }
    return claims;
  }

  private static Given passed(Given given) {
    Attempt soaked =
        new Attempt(1, "job-1", Stage.SUCCEEDED, NOW.minus(Duration.ofMinutes(30)), "");
    return given.drain(new DrainProgress.Done()).work(soaked).proof(soaked);
  }

  @Test
  void aClaimAboutAStepOfTheClassCountsOnlyIfItIsTrue() {
    assertThat(claims()).containsOnlyKeys(ClientAnnotation.values());
    claims()
        .forEach(
            (as, all) -> {
              for (Given given : all) {
                assertThat(given.decide()).isEqualTo(new ClassAutomationStep.Withdraw(as));
                assertThat(
                        ClassAutomationDecider.believed(given.input()).annotation(as.annotation()))
                    .isEmpty();
                assertThat(ClassAutomationDecider.believed(passed(given).input()))
                    .isEqualTo(given.maintenance());
                Given unknown = given.maintenanceClass(Optional.empty());
                assertThat(ClassAutomationDecider.believed(unknown.input()).annotations())
                    .as("a class that does not exist says nothing")
                    .isEmpty();
              }
            });
  }

  @Test
  void aClaimAboutAStepThatTheClassLeavesToOthersCounts() {
    ClassFacts outside =
        new ClassFacts(
            true, Work.OUTSIDE, new Proof(Prover.OUTSIDE, Duration.ZERO, 0), Optional.empty());
    claims()
        .forEach(
            (as, all) ->
                all.forEach(
                    given ->
                        assertThat(
                                ClassAutomationDecider.believed(
                                    given.maintenanceClass(Optional.of(outside)).input()))
                            .isEqualTo(given.maintenance())));
  }

  @Test
  void takesTheNodeOutWhenItMayLeave() {
    Given scheduled = Given.of(in(MaintenanceState.SCHEDULED));

    assertThat(scheduled.decide()).isEqualTo(new ClassAutomationStep.TakeOut());
    assertThat(
            scheduled
                .obstacles(
                    new Obstacles(
                        Optional.of("zone a is full"), Optional.empty(), Optional.empty()))
                .decide())
        .isEqualTo(new Wait("zone a is full", Optional.empty()));
    assertThat(
            scheduled
                .obstacles(
                    new Obstacles(Optional.empty(), Optional.empty(), Optional.of("stopped")))
                .decide())
        .isEqualTo(new Wait("stopped", Optional.empty()));
  }

  @Test
  void finishesTakingOutWhatAnEarlierProcessBegan() {
    assertThat(
            Given.of(in(MaintenanceState.SCHEDULED))
                .node(new NodeState(true, false, true, true, false))
                .obstacles(
                    new Obstacles(Optional.of("full"), Optional.empty(), Optional.of("stopped")))
                .decide())
        .isEqualTo(new ClassAutomationStep.TakeOut());
  }

  @Test
  void emptiesTheNodeAndSaysSo() {
    Given started = Given.of(in(MaintenanceState.STARTED));

    assertThat(started.decide()).isEqualTo(new ClassAutomationStep.Empty());
    assertThat(started.drain(new DrainProgress.UnderWay("pod web-1")).decide())
        .isEqualTo(new Wait("pod web-1", Optional.empty()));
    assertThat(started.drain(new DrainProgress.Failed("no")).decide())
        .isEqualTo(new Wait("no", Optional.empty()));
    assertThat(started.drain(new DrainProgress.Done()).decide())
        .isEqualTo(new Say(ClientAnnotation.READY, "true", ""));
  }

  @Test
  void runsTheWorkAndReportsHowItWent() {
    Given drained = Given.of(in(MaintenanceState.DRAINED));
    Given working = Given.of(said(MaintenanceState.DRAINED, MAINTENANCE_CLIENT));

    assertThat(drained.decide()).isEqualTo(new Say(ClientAnnotation.MAINTENANCE, "inprogress", ""));
    assertThat(working.decide()).isEqualTo(new Run(Purpose.WORK, 1));
    assertThat(working.work(attempt(1, Stage.RUNNING)).decide()).isInstanceOf(Wait.class);
    assertThat(
            working
                .work(new Attempt(1, "job-1", Stage.RUNNING, NOW, "FailedCreate: forbidden"))
                .decide())
        .isInstanceOfSatisfying(
            Wait.class,
            wait ->
                assertThat(wait.why())
                    .isEqualTo(
                        "the maintenance Job job-1, whose pod does not run: FailedCreate: forbidden"));
    assertThat(working.work(attempt(1, Stage.SUCCEEDED)).decide())
        .isEqualTo(new Say(ClientAnnotation.MAINTENANCE, "complete", ""));
    assertThat(working.work(attempt(1, Stage.FAILED)).decide())
        .isEqualTo(new Say(ClientAnnotation.MAINTENANCE, "incomplete", "exit code 3"));
  }

  @Test
  void provesTheNodeFitWithRetriesAndSoakTime() {
    Given proving = Given.of(said(MaintenanceState.VALIDATING, VALIDATION_CLIENT));
    Attempt passed = new Attempt(2, "job-2", Stage.SUCCEEDED, NOW.minus(Duration.ofMinutes(9)), "");
    Attempt soaked =
        new Attempt(2, "job-2", Stage.SUCCEEDED, NOW.minus(Duration.ofMinutes(10)), "");

    assertThat(proving.decide()).isEqualTo(new Run(Purpose.PROOF, 1));
    assertThat(proving.proof(attempt(1, Stage.FAILED)).decide())
        .isEqualTo(new Run(Purpose.PROOF, 2));
    assertThat(proving.proof(attempt(1, Stage.FAILED), attempt(2, Stage.FAILED)).decide())
        .isEqualTo(new Say(ClientAnnotation.VALIDATION, "failed", "exit code 3"));
    assertThat(proving.proof(passed).decide())
        .extracting(step -> ((Wait) step).until())
        .isEqualTo(Optional.of(NOW.plus(Duration.ofMinutes(1))));
    assertThat(proving.proof(soaked).decide())
        .isEqualTo(new Say(ClientAnnotation.VALIDATION, "validated", ""));
    assertThat(proving.proof(soaked).node(new NodeState(true, true, true, false, false)).decide())
        .isEqualTo(new Wait("node n1 to be ready", Optional.of(NOW.plus(Duration.ofHours(7)))));
  }

  @Test
  void withoutASoakTimeTheClockOfTheJobDoesNotMatter() {
    ClassFacts unsoaked =
        new ClassFacts(true, Work.JOB, new Proof(Prover.JOB, Duration.ZERO, 0), Optional.empty());
    Attempt later = new Attempt(1, "job-1", Stage.SUCCEEDED, NOW.plus(Duration.ofHours(1)), "");

    assertThat(
            Given.of(said(MaintenanceState.VALIDATING, VALIDATION_CLIENT))
                .maintenanceClass(Optional.of(unsoaked))
                .proof(later)
                .decide())
        .isEqualTo(new Say(ClientAnnotation.VALIDATION, "validated", ""));
  }

  @Test
  void returnsAProvedNode() {
    MaintenanceFacts proved =
        conditioned(in(MaintenanceState.VALIDATING), Map.of(VALIDATION_CONDITION, VALIDATED));

    assertThat(Given.of(proved).decide()).isEqualTo(new ClassAutomationStep.Return());
    assertThat(Given.of(deleted(proved)).decide()).isEqualTo(new ClassAutomationStep.Release());
    MaintenanceFacts completed =
        conditioned(
            proved, Map.of(VALIDATION_CONDITION, VALIDATED, AdvisoryConditions.COMPLETED, "true"));
    assertThat(Given.of(withoutFinalizer(completed)).decide())
        .isEqualTo(new ClassAutomationStep.Release());
    assertThat(Given.of(deleted(proved)).node(FREE).decide())
        .isEqualTo(new Wait("", Optional.empty()));
  }

  @Test
  void givesUpAtTheDeadline() {
    ClassFacts hurried =
        new ClassFacts(
            false,
            Work.OUTSIDE,
            new Proof(Prover.OUTSIDE, Duration.ZERO, 0),
            Optional.of(Duration.ofMinutes(5)));

    assertThat(
            Given.of(in(MaintenanceState.DRAINED)).maintenanceClass(Optional.of(hurried)).decide())
        .isInstanceOfSatisfying(Say.class, say -> assertThat(say.value()).isEqualTo("incomplete"));
    assertThat(
            Given.of(in(MaintenanceState.VALIDATING))
                .maintenanceClass(Optional.of(hurried))
                .decide())
        .isInstanceOfSatisfying(Say.class, say -> assertThat(say.value()).isEqualTo("failed"));
  }

  /** Every combination of all that can be seen. */
  private static List<Given> everything() {
    List<Given> all = new ArrayList<>();
    List<Optional<String>> maybe = List.of(Optional.empty(), Optional.of("an obstacle"));
    for (MaintenanceFacts maintenance : maintenances()) {
      for (NodeState node : nodes()) {
        for (DrainProgress drain : drains()) {
          for (List<Attempt> work : attempts()) {
            for (List<Attempt> proof : attempts()) {
              for (int bits = 0; bits < 8; bits++) {
                Obstacles obstacles =
                    new Obstacles(
                        maybe.get(bits & 1), maybe.get(bits >> 1 & 1), maybe.get(bits >> 2));
                all.add(
                    new Given(
                        maintenance,
                        Optional.of(JOBS),
                        Optional.of(node),
                        drain,
                        work,
                        proof,
                        obstacles));
              }
            }
          }
        }
      }
    }
    return all;
  }

  private static List<MaintenanceFacts> maintenances() {
    List<MaintenanceFacts> all = new ArrayList<>();
    for (MaintenanceState state : MaintenanceState.values()) {
      for (MaintenanceFacts each :
          List.of(
              in(state),
              annotated(
                  in(state),
                  Map.of(MAINTENANCE_CLIENT, "inprogress", VALIDATION_CLIENT, "inprogress")),
              conditioned(in(state), Map.of(VALIDATION_CONDITION, VALIDATED)))) {
        all.add(each);
        all.add(deleted(each));
        all.add(withoutFinalizer(each));
      }
    }
    return all;
  }

  private static List<NodeState> nodes() {
    List<NodeState> all = new ArrayList<>();
    for (int bits = 0; bits < 32; bits++) {
      all.add(
          new NodeState(
              (bits & 1) > 0, (bits & 2) > 0, (bits & 4) > 0, (bits & 8) > 0, (bits & 16) > 0));
    }
    return all;
  }

  private static List<DrainProgress> drains() {
    return List.of(
        new DrainProgress.NotBegun(),
        new DrainProgress.UnderWay("a pod"),
        new DrainProgress.Done(),
        new DrainProgress.Failed("no way"));
  }

  private static List<List<Attempt>> attempts() {
    return List.of(
        List.of(),
        List.of(attempt(1, Stage.RUNNING)),
        List.of(attempt(1, Stage.SUCCEEDED)),
        List.of(attempt(1, Stage.FAILED)),
        List.of(attempt(1, Stage.FAILED), attempt(2, Stage.FAILED)));
  }

  @Test
  void nothingForbiddenIsEverDecided() {
    for (Given given : everything()) {
      check(given, given.decide());
    }
  }

  private static void check(Given given, ClassAutomationStep step) {
    MaintenanceFacts maintenance = given.maintenance();
    NodeState node = given.node().orElseThrow();
    boolean ours = node.held() && node.labelled() && node.unschedulable();
    boolean proved = maintenance.condition(VALIDATION_CONDITION).isPresent();
    boolean alive = !maintenance.deleted() && !maintenance.isOver();
    boolean right =
        switch (step) {
          case Wait(String why, var _) ->
              !why.isEmpty() || !maintenance.state().hasBegun() || !alive;
          case ClassAutomationStep.TakeOut() ->
              alive
                  && maintenance.state() == MaintenanceState.SCHEDULED
                  && (node.held() || given.obstacles().leave().isEmpty())
                  && (node.held() || given.obstacles().stopped().isEmpty());
          case ClassAutomationStep.HoldAgain() -> isToBeHeldAgain(given);
          case ClassAutomationStep.Empty() ->
              alive && ours && given.obstacles().stopped().isEmpty();
          case Say(ClientAnnotation as, String value, var _) ->
              alive
                  && (as != ClientAnnotation.READY
                      || (ours && given.drain() instanceof DrainProgress.Done))
                  && (!value.equals(VALIDATED) || isPassed(given));
          case Run(Purpose purpose, var _) ->
              alive
                  && given.obstacles().stopped().isEmpty()
                  && ours
                  && given.obstacles().busyWith().isEmpty()
                  && maintenance.state()
                      == (purpose == Purpose.WORK
                          ? MaintenanceState.DRAINED
                          : MaintenanceState.VALIDATING);
          case ClassAutomationStep.Withdraw(ClientAnnotation claim) ->
              alive && ClientAnnotation.claimed(maintenance).equals(Optional.of(claim));
          case ClassAutomationStep.Return() -> alive && proved;
          case ClassAutomationStep.Release() ->
              !alive && node.held() && (maintenance.isOver() || proved || isUntouched(given));
        };
    assertThat(right && isToBeHeldAgain(given) == step instanceof ClassAutomationStep.HoldAgain)
        .as("%s -> %s", given, step)
        .isTrue();
  }

  /** The Node was made anew while it was out, and whoever did so has said nothing about it. */
  private static boolean isToBeHeldAgain(Given given) {
    NodeState node = given.node().orElseThrow();
    MaintenanceFacts maintenance = given.maintenance();
    boolean out =
        switch (maintenance.state()) {
          case STARTED, SLA_EXPIRED, DRAINED, VALIDATING, INCOMPLETE -> true;
          case NONE, SCHEDULED, UNKNOWN -> false;
        };
    return out
        && !maintenance.deleted()
        && !maintenance.isOver()
        && node.madeAnew()
        && !(node.held() && node.labelled());
  }

  @Test
  void aNodeThatIsMadeAnewLendsNoClaimCredit() {
    NodeState anew = new NodeState(false, false, false, true, true);
    claims()
        .forEach(
            (as, all) -> {
              for (Given given : all) {
                assertThat(given.node(anew).decide())
                    .isEqualTo(new ClassAutomationStep.HoldAgain());
                assertThat(
                        ClassAutomationDecider.believed(given.node(anew).input())
                            .annotation(as.annotation()))
                    .isEmpty();
              }
            });
  }

  private static boolean isPassed(Given given) {
    return !given.proof().isEmpty() && given.proof().getLast().stage() == Stage.SUCCEEDED;
  }

  private static boolean isUntouched(Given given) {
    return switch (given.maintenance().state()) {
      case NONE, SCHEDULED, STARTED, SLA_EXPIRED -> true;
      case DRAINED -> given.work().isEmpty();
      case VALIDATING, INCOMPLETE, UNKNOWN -> false;
    };
  }
}
