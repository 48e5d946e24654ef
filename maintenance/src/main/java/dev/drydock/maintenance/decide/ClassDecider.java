package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.decide.ClassScene.Attempt;
import dev.drydock.maintenance.decide.ClassScene.Emptying;
import dev.drydock.maintenance.decide.ClassScene.NodeState;
import dev.drydock.maintenance.decide.ClassStep.Purpose;
import dev.drydock.maintenance.decide.ClassStep.Say;
import dev.drydock.maintenance.decide.ClassStep.Wait;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The scheduler, drainer, maintenance and validation clients of a maintenance that has a class.
 * They act through the same labels and annotations as anybody else's, so the state machine does not
 * know them, and each can be replaced by a user's own.
 */
public final class ClassDecider {
  private ClassDecider() {}

  public static ClassStep decide(ClassScene scene) {
    MaintenanceFacts maintenance = scene.maintenance();
    if (maintenance.isOver()) {
      return isHeld(scene) ? new ClassStep.Release() : wait("");
    }
    if (maintenance.deleted()) {
      return deleted(scene);
    }
    if (scene.clazz().isEmpty()) {
      return wait(
          "MaintenanceClass %s, which does not exist"
              .formatted(maintenance.spec().maintenanceClass()));
    }
    ClassFacts clazz = scene.clazz().get();
    return switch (maintenance.state()) {
      case NONE -> wait("");
      case SCHEDULED -> takeOut(scene);
      case STARTED, SLA_EXPIRED -> empty(scene, clazz);
      case DRAINED -> work(scene, clazz);
      case VALIDATING -> prove(scene, clazz);
      case INCOMPLETE, UNKNOWN -> wait(Waits.waitingFor(maintenance.state(), maintenance));
    };
  }

  /** A node that was worked on and not proved fit is not returned by us. */
  private static ClassStep deleted(ClassScene scene) {
    if (!isHeld(scene)) {
      return wait("");
    }
    boolean proved =
        scene
            .maintenance()
            .condition(MaintenanceNames.VALIDATION_CONDITION)
            .filter(MaintenanceNames.VALIDATED::equals)
            .isPresent();
    if (proved || !mayHaveBeenWorkedOn(scene)) {
      return new ClassStep.Release();
    }
    return wait(
        "somebody to uncordon node %s: it was worked on and not proved fit"
            .formatted(scene.maintenance().node()));
  }

  private static boolean mayHaveBeenWorkedOn(ClassScene scene) {
    return switch (scene.maintenance().state()) {
      case NONE, SCHEDULED, STARTED, SLA_EXPIRED -> false;
      case DRAINED ->
          !scene.work().isEmpty()
              || scene.maintenance().condition(MaintenanceNames.MAINTENANCE_CONDITION).isPresent();
      case VALIDATING, INCOMPLETE, UNKNOWN -> true;
    };
  }

  private static ClassStep takeOut(ClassScene scene) {
    if (scene.node().isEmpty()) {
      return wait("node %s, which does not exist".formatted(scene.maintenance().node()));
    }
    if (scene.node().get().held()) {
      return scene.node().get().labelled() ? wait("") : new ClassStep.TakeOut();
    }
    return scene
        .stopped()
        .or(scene::leave)
        .map(ClassDecider::wait)
        .orElseGet(ClassStep.TakeOut::new);
  }

  private static ClassStep empty(ClassScene scene, ClassFacts clazz) {
    Optional<ClassStep> lost = lost(scene);
    if (lost.isPresent()) {
      return lost.get();
    }
    if (clazz.drainsOutside()) {
      return wait(Waits.waitingFor(MaintenanceState.STARTED, scene.maintenance()));
    }
    return switch (scene.emptying()) {
      case Emptying.NotBegun() ->
          scene.stopped().map(ClassDecider::wait).orElseGet(ClassStep.Empty::new);
      case Emptying.UnderWay(String waitingFor) -> wait(waitingFor);
      case Emptying.Failed(String why) -> wait(why);
      case Emptying.Done() -> new Say(ClientAnnotation.READY, MaintenanceNames.TRUE, "");
    };
  }

  /** Nothing is done to a node that is not ours any more. */
  private static Optional<ClassStep> lost(ClassScene scene) {
    boolean ours = scene.node().filter(NodeState::isOurs).isPresent();
    return ours
        ? Optional.empty()
        : Optional.of(
            wait(
                "node %s is not held, labelled and cordoned for this maintenance any more; delete the NotifyMaintenance"
                    .formatted(scene.maintenance().node())));
  }

  private static ClassStep work(ClassScene scene, ClassFacts clazz) {
    Optional<ClassStep> outOfTime =
        late(scene, clazz, ClientAnnotation.MAINTENANCE, MaintenanceNames.INCOMPLETE);
    if (outOfTime.isPresent()) {
      return outOfTime.get();
    }
    if (clazz.work() == ClassFacts.Work.OUTSIDE) {
      return wait(
          Waits.waitingFor(MaintenanceState.DRAINED, scene.maintenance()), due(scene, clazz));
    }
    if (scene.work().isEmpty()) {
      return run(scene, Purpose.WORK, 1);
    }
    Attempt last = scene.work().getLast();
    return switch (last.stage()) {
      case RUNNING -> wait(job("maintenance", scene.work()), due(scene, clazz));
      case SUCCEEDED -> new Say(ClientAnnotation.MAINTENANCE, MaintenanceNames.COMPLETE, "");
      case FAILED ->
          new Say(ClientAnnotation.MAINTENANCE, MaintenanceNames.INCOMPLETE, last.message());
    };
  }

  /** Checked last before anything is done to the node: it is ours, nobody else is at it. */
  private static ClassStep run(ClassScene scene, Purpose purpose, int attempt) {
    return lost(scene)
        .or(() -> scene.stopped().or(scene::busyWith).map(ClassDecider::wait))
        .orElseGet(
            () -> {
              ClientAnnotation as =
                  purpose == Purpose.WORK
                      ? ClientAnnotation.MAINTENANCE
                      : ClientAnnotation.VALIDATION;
              boolean said = scene.maintenance().annotation(as.annotation()).isPresent();
              return said
                  ? new ClassStep.Run(purpose, attempt)
                  : new Say(as, MaintenanceNames.IN_PROGRESS, "");
            });
  }

  /** Why an earlier one failed is part of the story. */
  private static String job(String which, List<Attempt> attempts) {
    String last = "the %s Job %s".formatted(which, attempts.getLast().job());
    if (attempts.size() == 1) {
      return last;
    }
    Attempt before = attempts.get(attempts.size() - 2);
    return "%s, attempt %d; attempt %d failed: %s"
        .formatted(last, attempts.getLast().number(), before.number(), before.message());
  }

  private static ClassStep prove(ClassScene scene, ClassFacts clazz) {
    boolean proved =
        scene
            .maintenance()
            .condition(MaintenanceNames.VALIDATION_CONDITION)
            .filter(MaintenanceNames.VALIDATED::equals)
            .isPresent();
    if (proved) {
      return new ClassStep.Return();
    }
    Optional<ClassStep> outOfTime =
        late(scene, clazz, ClientAnnotation.VALIDATION, MaintenanceNames.FAILED);
    if (outOfTime.isPresent()) {
      return outOfTime.get();
    }
    return switch (clazz.proof().by()) {
      case NOBODY -> new Say(ClientAnnotation.VALIDATION, MaintenanceNames.VALIDATED, "");
      case OUTSIDE ->
          wait(
              Waits.waitingFor(MaintenanceState.VALIDATING, scene.maintenance()),
              due(scene, clazz));
      case JOB -> proveByJob(scene, clazz);
    };
  }

  private static ClassStep proveByJob(ClassScene scene, ClassFacts clazz) {
    List<Attempt> attempts = scene.proof();
    if (attempts.isEmpty()) {
      return run(scene, Purpose.PROOF, 1);
    }
    Attempt last = attempts.getLast();
    return switch (last.stage()) {
      case RUNNING -> wait(job("validation", attempts), due(scene, clazz));
      case SUCCEEDED -> soak(scene, clazz, last);
      case FAILED ->
          last.number() <= clazz.proof().retries()
              ? run(scene, Purpose.PROOF, last.number() + 1)
              : new Say(ClientAnnotation.VALIDATION, MaintenanceNames.FAILED, last.message());
    };
  }

  /** A node that is not ready is not fit, however long ago its Job succeeded. */
  private static ClassStep soak(ClassScene scene, ClassFacts clazz, Attempt passed) {
    if (scene.node().filter(NodeState::ready).isEmpty()) {
      return wait("node %s to be ready".formatted(scene.maintenance().node()), due(scene, clazz));
    }
    Instant end = passed.finished().plus(clazz.proof().soak());
    return scene.now().isBefore(end)
        ? wait("the soak time, until " + end, Optional.of(end))
        : new Say(ClientAnnotation.VALIDATION, MaintenanceNames.VALIDATED, "");
  }

  private static Optional<Instant> due(ClassScene scene, ClassFacts clazz) {
    return clazz.deadline().map(time -> scene.begun().plus(time));
  }

  private static Optional<ClassStep> late(
      ClassScene scene, ClassFacts clazz, ClientAnnotation as, String value) {
    return due(scene, clazz)
        .filter(end -> !scene.now().isBefore(end))
        .map(end -> new Say(as, value, "not done by the class's deadline, " + end));
  }

  private static boolean isHeld(ClassScene scene) {
    return scene.node().filter(NodeState::held).isPresent();
  }

  private static ClassStep wait(String why) {
    return new Wait(why, Optional.empty());
  }

  private static ClassStep wait(String why, Optional<Instant> until) {
    return new Wait(why, until);
  }
}
