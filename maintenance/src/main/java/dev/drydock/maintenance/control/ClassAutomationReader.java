package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.decide.ClassAutomationInput;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt;
import dev.drydock.maintenance.decide.ClassAutomationInput.DrainProgress;
import dev.drydock.maintenance.decide.ClassAutomationInput.NodeState;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.NodeTurns;
import dev.drydock.maintenance.decide.NodeTurns.NodeJob;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads what is decided on about a maintenance with a class. */
record ClassAutomationReader(ClassCaches classes, DeparturePermission permission, Clock clock) {

  /**
   * All inputs of the decision.
   *
   * @param others the other maintenances of its node
   */
  ClassAutomationInput input(
      NotifyMaintenanceObject seen,
      Optional<MaintenanceNodeObject> node,
      Optional<MaintenanceClassObject> maintenanceClass,
      List<JobObject> jobs,
      List<MaintenanceFacts> others) {
    MaintenanceFacts facts = seen.facts();
    return new ClassAutomationInput(
        facts,
        maintenanceClass.map(MaintenanceClassObject::facts),
        node.map(there -> nodeState(seen, there)),
        ClassAutomationInput.isDraining(facts)
            ? drainProgress(seen, maintenanceClass)
            : new DrainProgress.NotBegun(),
        attempts(seen, jobs, Purpose.WORK),
        attempts(seen, jobs, Purpose.PROOF),
        ClassAutomationInput.isLeaving(facts) ? permission.leave(seen) : Optional.empty(),
        NodeTurns.busyWith(
            facts,
            others,
            jobs.stream().map(job -> nodeJob(job, others)).toList(),
            node.map(there -> there.fleet().holders()).orElse(List.of())),
        permission.stopped(),
        begun(seen),
        clock.instant());
  }

  /** What drains the node as the class says, if it says so. */
  static Optional<DrainObject> drain(
      NotifyMaintenanceObject seen, Optional<MaintenanceClassObject> maintenanceClass) {
    return maintenanceClass.flatMap(
        known -> Optional.ofNullable(DrainObject.of(known.spec().drain(), seen)));
  }

  private DrainProgress drainProgress(
      NotifyMaintenanceObject seen, Optional<MaintenanceClassObject> maintenanceClass) {
    return drain(seen, maintenanceClass)
        .map(object -> classes.drains().emptying(seen, object))
        .orElseGet(DrainProgress.NotBegun::new);
  }

  private static NodeState nodeState(NotifyMaintenanceObject seen, MaintenanceNodeObject node) {
    return NodeState.of(
        seen.facts(),
        node.facts(),
        node.isHeldFor(seen.facts()),
        node.ready(),
        node.fleet().created(),
        begun(seen));
  }

  private static NodeJob nodeJob(JobObject job, List<MaintenanceFacts> others) {
    return new NodeJob(
        job.toString(),
        job.isRunning(),
        others.stream().anyMatch(other -> job.isOf(other.identity())),
        job.namespace() + "/" + job.owner().name());
  }

  private List<Attempt> attempts(
      NotifyMaintenanceObject seen, List<JobObject> jobs, Purpose purpose) {
    return jobs.stream()
        .filter(job -> job.isOf(seen.facts().identity()))
        .filter(job -> job.purpose() == purpose)
        .map(this::attempt)
        .sorted(Comparator.comparingInt(Attempt::number))
        .toList();
  }

  /** When to look again at Jobs of which no watch shows what is wrong. */
  Stream<Instant> askAgain(NotifyMaintenanceObject seen) {
    Instant now = clock.instant();
    return classes.jobs().stream()
        .filter(job -> job.isRunning() && job.isOf(seen.facts().identity()))
        .flatMap(job -> classes.jobPods().askAgain(job, now).stream());
  }

  /** With what keeps a Job from getting on, if something does. */
  private Attempt attempt(JobObject job) {
    Attempt attempt = job.attempt();
    return job.isRunning()
        ? new Attempt(
            attempt.number(),
            attempt.job(),
            attempt.stage(),
            attempt.finished(),
            classes.jobPods().trouble(job, clock.instant()))
        : attempt;
  }

  private static Instant begun(NotifyMaintenanceObject seen) {
    for (JsonNode each : seen.status().path("transitionTimestamps")) {
      if (text(each, "maintenanceStatus").equals(MaintenanceState.STARTED.text())) {
        return time(each, "transitionTimestamp");
      }
    }
    return seen.facts().identity().created();
  }
}
