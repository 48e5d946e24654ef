package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt;
import dev.drydock.maintenance.decide.ClassAutomationInput.DrainProgress;
import dev.drydock.maintenance.decide.ClassAutomationInput.NodeState;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import dev.drydock.maintenance.decide.ClassAutomationStep.Say;
import dev.drydock.maintenance.decide.ClassAutomationStep.Wait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The scheduler, drainer, maintenance and validation clients of a maintenance that has a class.
 * They act through the same labels and annotations as other clients, so the state machine does not
 * depend on them, and a class can leave each to a user's own. A step that it does not leave to
 * others is passed only by what is seen here: whoever may annotate a maintenance cannot return a
 * node that was not validated.
 */
public final class ClassAutomationDecider {
  private ClassAutomationDecider() {}

  public static ClassAutomationStep decide(ClassAutomationInput input) {
    return isToBeHeldAgain(input) ? new ClassAutomationStep.HoldAgain() : step(input);
  }

  private static boolean isToBeHeldAgain(ClassAutomationInput input) {
    MaintenanceFacts maintenance = input.maintenance();
    boolean out = maintenance.isActive() || isIncomplete(maintenance);
    return out && input.node().filter(NodeState::isLostAnew).isPresent();
  }

  private static boolean isIncomplete(MaintenanceFacts maintenance) {
    return maintenance.state() == MaintenanceState.INCOMPLETE
        && !maintenance.deleted()
        && !maintenance.isOver();
  }

  private static ClassAutomationStep step(ClassAutomationInput input) {
    MaintenanceFacts maintenance = input.maintenance();
    if (maintenance.isOver()) {
      return isHeld(input) ? new ClassAutomationStep.Release() : wait("");
    }
    if (maintenance.deleted()) {
      return deleted(input);
    }
    if (input.maintenanceClass().isEmpty()) {
      return wait(
          "MaintenanceClass %s, which does not exist"
              .formatted(maintenance.spec().maintenanceClass()));
    }
    ClassFacts maintenanceClass = input.maintenanceClass().get();
    ClassAutomationStep next = next(input, maintenanceClass);
    return ClientAnnotation.claimed(maintenance)
        .filter(claim -> !isOutside(claim, maintenanceClass))
        .filter(claim -> !isSaid(claim, next))
        .<ClassAutomationStep>map(ClassAutomationStep.Withdraw::new)
        .orElse(next);
  }

  /** The maintenance without a claim that does not count. */
  public static MaintenanceFacts believed(ClassAutomationInput input) {
    MaintenanceFacts maintenance = input.maintenance();
    Optional<ClientAnnotation> claim = ClientAnnotation.claimed(maintenance);
    if (claim.isEmpty()) {
      return maintenance;
    }
    boolean counts =
        input.maintenanceClass().isPresent()
            && !(step(input) instanceof ClassAutomationStep.Withdraw);
    return counts ? maintenance : maintenance.without(claim.get());
  }

  private static boolean isOutside(ClientAnnotation claim, ClassFacts maintenanceClass) {
    return switch (claim) {
      case READY -> maintenanceClass.drainsOutside();
      case MAINTENANCE -> maintenanceClass.work() == ClassFacts.Work.OUTSIDE;
      case VALIDATION -> maintenanceClass.proof().by() == ClassFacts.Prover.OUTSIDE;
    };
  }

  private static boolean isSaid(ClientAnnotation claim, ClassAutomationStep next) {
    return next instanceof Say say && say.as() == claim && say.value().equals(claim.passed());
  }

  private static ClassAutomationStep next(ClassAutomationInput input, ClassFacts maintenanceClass) {
    MaintenanceFacts maintenance = input.maintenance();
    return switch (maintenance.state()) {
      case NONE -> wait("");
      case SCHEDULED -> takeOut(input);
      case STARTED, SLA_EXPIRED -> empty(input, maintenanceClass);
      case DRAINED -> work(input, maintenanceClass);
      case VALIDATING -> prove(input, maintenanceClass);
      case INCOMPLETE, UNKNOWN -> wait(WaitMessages.waitingFor(maintenance.state(), maintenance));
    };
  }

  /** Drydock does not return a node that was worked on but not validated. */
  private static ClassAutomationStep deleted(ClassAutomationInput input) {
    if (!isHeld(input)) {
      return wait("");
    }
    if (input.maintenance().isProved() || !mayHaveBeenWorkedOn(input)) {
      return new ClassAutomationStep.Release();
    }
    return wait(
        "someone to uncordon node %s: it was maintained but not validated"
            .formatted(input.maintenance().node()));
  }

  private static boolean mayHaveBeenWorkedOn(ClassAutomationInput input) {
    return switch (input.maintenance().state()) {
      case NONE, SCHEDULED, STARTED, SLA_EXPIRED -> false;
      case DRAINED ->
          !input.work().isEmpty()
              || input.maintenance().annotation(MaintenanceNames.MAINTENANCE_CLIENT).isPresent()
              || input.maintenance().condition(MaintenanceNames.MAINTENANCE_CONDITION).isPresent();
      case VALIDATING, INCOMPLETE, UNKNOWN -> true;
    };
  }

  private static ClassAutomationStep takeOut(ClassAutomationInput input) {
    if (input.node().isEmpty()) {
      return wait("node %s, which does not exist".formatted(input.maintenance().node()));
    }
    if (input.node().get().held()) {
      return input.node().get().labelled() ? wait("") : new ClassAutomationStep.TakeOut();
    }
    return input
        .stopped()
        .or(input::busyWith)
        .or(input::leave)
        .map(ClassAutomationDecider::wait)
        .orElseGet(ClassAutomationStep.TakeOut::new);
  }

  private static ClassAutomationStep empty(
      ClassAutomationInput input, ClassFacts maintenanceClass) {
    Optional<ClassAutomationStep> lost = lost(input);
    if (lost.isPresent()) {
      return lost.get();
    }
    if (maintenanceClass.drainsOutside()) {
      return wait(WaitMessages.waitingFor(MaintenanceState.STARTED, input.maintenance()));
    }
    return switch (input.emptying()) {
      case DrainProgress.NotBegun() ->
          input
              .stopped()
              .or(input::busyWith)
              .map(ClassAutomationDecider::wait)
              .orElseGet(ClassAutomationStep.Empty::new);
      case DrainProgress.UnderWay(String waitingFor) -> wait(waitingFor);
      case DrainProgress.Failed(String why) -> wait(why);
      case DrainProgress.Done() -> new Say(ClientAnnotation.READY, MaintenanceNames.TRUE, "");
    };
  }

  /** Nothing is done to a node that no longer belongs to this maintenance. */
  private static Optional<ClassAutomationStep> lost(ClassAutomationInput input) {
    boolean ours = input.node().filter(NodeState::isOurs).isPresent();
    return ours
        ? Optional.empty()
        : Optional.of(
            wait(
                "node %s is not held, labelled and cordoned for this maintenance any more; delete the NotifyMaintenance"
                    .formatted(input.maintenance().node())));
  }

  private static ClassAutomationStep work(ClassAutomationInput input, ClassFacts maintenanceClass) {
    Optional<ClassAutomationStep> outOfTime =
        late(input, maintenanceClass, ClientAnnotation.MAINTENANCE, MaintenanceNames.INCOMPLETE);
    if (outOfTime.isPresent()) {
      return outOfTime.get();
    }
    if (maintenanceClass.work() == ClassFacts.Work.OUTSIDE) {
      return wait(
          WaitMessages.waitingFor(MaintenanceState.DRAINED, input.maintenance()),
          due(input, maintenanceClass));
    }
    if (input.work().isEmpty()) {
      return run(input, Purpose.WORK, 1);
    }
    Attempt last = input.work().getLast();
    return switch (last.stage()) {
      case RUNNING -> wait(job("maintenance", input.work()), due(input, maintenanceClass));
      case SUCCEEDED -> new Say(ClientAnnotation.MAINTENANCE, MaintenanceNames.COMPLETE, "");
      case FAILED ->
          new Say(ClientAnnotation.MAINTENANCE, MaintenanceNames.INCOMPLETE, last.message());
    };
  }

  /**
   * The last check before any action on the node: it is held for this maintenance and no other one
   * works on it.
   */
  private static ClassAutomationStep run(ClassAutomationInput input, Purpose purpose, int attempt) {
    return lost(input)
        .or(() -> input.stopped().or(input::busyWith).map(ClassAutomationDecider::wait))
        .orElseGet(
            () -> {
              ClientAnnotation as =
                  purpose == Purpose.WORK
                      ? ClientAnnotation.MAINTENANCE
                      : ClientAnnotation.VALIDATION;
              boolean said = input.maintenance().annotation(as.annotation()).isPresent();
              return said
                  ? new ClassAutomationStep.Run(purpose, attempt)
                  : new Say(as, MaintenanceNames.IN_PROGRESS, "");
            });
  }

  /**
   * What keeps it from getting on and the failure of an earlier attempt are part of the message.
   */
  private static String job(String which, List<Attempt> attempts) {
    String trouble = attempts.getLast().message();
    String last =
        "the %s Job %s%s"
            .formatted(
                which,
                attempts.getLast().job(),
                trouble.isEmpty() ? "" : ", whose pod does not run: " + trouble);
    if (attempts.size() == 1) {
      return last;
    }
    Attempt before = attempts.get(attempts.size() - 2);
    return "%s, attempt %d; attempt %d failed: %s"
        .formatted(last, attempts.getLast().number(), before.number(), before.message());
  }

  private static ClassAutomationStep prove(
      ClassAutomationInput input, ClassFacts maintenanceClass) {
    boolean proved =
        input
            .maintenance()
            .condition(MaintenanceNames.VALIDATION_CONDITION)
            .filter(MaintenanceNames.VALIDATED::equals)
            .isPresent();
    if (proved) {
      return new ClassAutomationStep.Return();
    }
    Optional<ClassAutomationStep> outOfTime =
        late(input, maintenanceClass, ClientAnnotation.VALIDATION, MaintenanceNames.FAILED);
    if (outOfTime.isPresent()) {
      return outOfTime.get();
    }
    return switch (maintenanceClass.proof().by()) {
      case NOBODY -> new Say(ClientAnnotation.VALIDATION, MaintenanceNames.VALIDATED, "");
      case OUTSIDE ->
          wait(
              WaitMessages.waitingFor(MaintenanceState.VALIDATING, input.maintenance()),
              due(input, maintenanceClass));
      case JOB -> proveByJob(input, maintenanceClass);
    };
  }

  private static ClassAutomationStep proveByJob(
      ClassAutomationInput input, ClassFacts maintenanceClass) {
    List<Attempt> attempts = input.proof();
    if (attempts.isEmpty()) {
      return run(input, Purpose.PROOF, 1);
    }
    Attempt last = attempts.getLast();
    return switch (last.stage()) {
      case RUNNING -> wait(job("validation", attempts), due(input, maintenanceClass));
      case SUCCEEDED -> soak(input, maintenanceClass, last);
      case FAILED ->
          last.number() <= maintenanceClass.proof().retries()
              ? run(input, Purpose.PROOF, last.number() + 1)
              : new Say(ClientAnnotation.VALIDATION, MaintenanceNames.FAILED, last.message());
    };
  }

  /** A node that is not ready is not fit, regardless of when its Job succeeded. */
  private static ClassAutomationStep soak(
      ClassAutomationInput input, ClassFacts maintenanceClass, Attempt passed) {
    if (input.node().filter(NodeState::ready).isEmpty()) {
      return wait(
          "node %s to be ready".formatted(input.maintenance().node()),
          due(input, maintenanceClass));
    }
    Duration soak = maintenanceClass.proof().soak();
    Instant end = passed.finished().plus(soak);
    // Without a soak time nothing is counted: the Job's time is by another clock than ours.
    return !soak.isZero() && input.now().isBefore(end)
        ? wait("the soak time, until " + end, Optional.of(end))
        : new Say(ClientAnnotation.VALIDATION, MaintenanceNames.VALIDATED, "");
  }

  private static Optional<Instant> due(ClassAutomationInput input, ClassFacts maintenanceClass) {
    return maintenanceClass.deadline().map(time -> input.begun().plus(time));
  }

  private static Optional<ClassAutomationStep> late(
      ClassAutomationInput input, ClassFacts maintenanceClass, ClientAnnotation as, String value) {
    return due(input, maintenanceClass)
        .filter(end -> !input.now().isBefore(end))
        .map(end -> new Say(as, value, "not done by the class's deadline, " + end));
  }

  private static boolean isHeld(ClassAutomationInput input) {
    return input.node().filter(NodeState::held).isPresent();
  }

  private static ClassAutomationStep wait(String why) {
    return new Wait(why, Optional.empty());
  }

  private static ClassAutomationStep wait(String why, Optional<Instant> until) {
    return new Wait(why, until);
  }
}
