package dev.drydock.slingshot.decide;

import static dev.drydock.contracts.ngn2.MaintenanceNames.COMPLETE;
import static dev.drydock.contracts.ngn2.MaintenanceNames.FAILED;
import static dev.drydock.contracts.ngn2.MaintenanceNames.INCOMPLETE;
import static dev.drydock.contracts.ngn2.MaintenanceNames.MAINTENANCE_CLIENT;
import static dev.drydock.contracts.ngn2.MaintenanceNames.VALIDATED;
import static dev.drydock.contracts.ngn2.MaintenanceNames.VALIDATION_CLIENT;

import dev.drydock.contracts.cxi.CXIDriverSpec.UpdateType;
import dev.drydock.contracts.cxi.CxiNames;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.slingshot.decide.NodeRolloutStep.Verdict;
import dev.drydock.slingshot.decide.UpdateFailure.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The next step for one node: everything follows from its maintenance, what its driver agent
 * reports, and its devices. Every step may be repeated.
 *
 * @param template the hash of the agent's pod as it should be
 * @param baseline what the node's maintenance remembers
 * @param rolloutStopped whether the campaign of its maintenance is stopped
 */
public record NodeRollout(
    EffectiveSpec spec,
    String template,
    CxiNode node,
    Optional<NodeBaseline> baseline,
    boolean rolloutStopped,
    Instant now) {

  private static final NodeRolloutStep IDLE = new NodeRolloutStep.Wait(Optional.empty());

  public NodeRolloutStep next() {
    if (node.maintenance().isEmpty()) {
      return outsideMaintenance();
    }
    CxiNode.Maintenance maintenance = node.maintenance().get();
    if (maintenance.deleted()) {
      return IDLE;
    }
    return switch (maintenance.state()) {
      case DRAINED ->
          answered(maintenance, MAINTENANCE_CLIENT, List.of(COMPLETE, INCOMPLETE))
              ? IDLE
              : hasLeft() ? left(maintenance) : drained(maintenance);
      case VALIDATING ->
          answered(maintenance, VALIDATION_CLIENT, List.of(VALIDATED, FAILED))
              ? IDLE
              : hasLeft() ? left(maintenance) : validating(maintenance);
      case NONE, SCHEDULED, STARTED, SLA_EXPIRED, INCOMPLETE, UNKNOWN -> IDLE;
    };
  }

  /** Whether the node was taken from the driver, and its agent with it. */
  private boolean hasLeft() {
    return !node.matches(spec.nodeSelector()) && node.agent().isEmpty();
  }

  /** Nobody is there any more to install the driver, to go back, or to say what is loaded. */
  private NodeRolloutStep left(CxiNode.Maintenance maintenance) {
    return giveUp(
        maintenance,
        new UpdateFailure(
            Cause.NodeLeft,
            "the node left the nodeSelector of its CXIDriver during its update, and has no driver agent any more"));
  }

  private static boolean answered(
      CxiNode.Maintenance maintenance, String annotation, List<String> values) {
    return maintenance.annotation(annotation).filter(values::contains).isPresent();
  }

  /** Nothing on the node uses the driver, or the driver stays the same: the agent may restart. */
  private NodeRolloutStep outsideMaintenance() {
    boolean stays = node.installed().isEmpty() || node.isAt(spec.revision()) || !spec.installs();
    if (stays) {
      return node.agent()
          .filter(agent -> !agent.template().equals(template))
          .<NodeRolloutStep>map(agent -> new NodeRolloutStep.ReplaceAgent(agent.uid()))
          .orElse(IDLE);
    }
    boolean requested =
        spec.update().type() == UpdateType.OnDelete
            && !spec.update().paused()
            && !node.isSkipped()
            && !node.cutShort()
            && !failedBefore()
            && node.agent().filter(agent -> agent.revision().equals(spec.revision())).isPresent();
    return requested ? new NodeRolloutStep.CreateMaintenance() : IDLE;
  }

  /** Whether this revision failed here already; it is not tried again by itself. */
  private boolean failedBefore() {
    return node.report()
        .filter(report -> spec.revision().equals(report.wanted()))
        .filter(
            report ->
                switch (report.state()) {
                  case Failed, RolledBack, RollbackFailed -> true;
                  case Installed, Installing, RebootRequired, RollingBack -> false;
                })
        .isPresent();
  }

  private NodeRolloutStep drained(CxiNode.Maintenance maintenance) {
    if (!node.cordoned()) {
      return IDLE; // somebody returned the node, and its maintenance is about to end
    }
    if (baseline.isEmpty()) {
      return new NodeRolloutStep.BeginWork(
          NodeBaseline.of(node, template, spec.revision(), spec.version()));
    }
    NodeBaseline before = baseline.get();
    Optional<CxiNode.Agent> outdated =
        node.agent().filter(agent -> agent.uid().equals(before.agent()));
    if (outdated.isPresent()) {
      return new NodeRolloutStep.ReplaceAgent(outdated.get().uid());
    }
    Optional<DriverReport> report = node.reportOn(maintenance);
    return report
        .map(
            said ->
                switch (said.state()) {
                  case Failed, RollbackFailed -> failed(maintenance, said);
                  case RolledBack -> rolledBack(maintenance, said, before);
                  // the agent says by itself that it is done
                  case Installed, Installing, RebootRequired, RollingBack -> IDLE;
                })
        .orElse(IDLE);
  }

  private NodeRolloutStep validating(CxiNode.Maintenance maintenance) {
    Optional<DriverReport> report = node.reportOn(maintenance);
    if (baseline.isEmpty() || report.isEmpty()) {
      // somebody else declared it complete: nobody can say that the driver is good
      return giveUp(
          maintenance,
          new UpdateFailure(
              Cause.NotReported, "its driver agent did not report about this maintenance"));
    }
    return switch (report.get().state()) {
      case Installed -> installed(maintenance, report.get(), baseline.get());
      case RolledBack -> rolledBack(maintenance, report.get(), baseline.get());
      case Failed, RollbackFailed -> failed(maintenance, report.get());
      case Installing, RebootRequired, RollingBack -> IDLE;
    };
  }

  private NodeRolloutStep installed(
      CxiNode.Maintenance maintenance, DriverReport report, NodeBaseline before) {
    boolean asked = maintenance.annotation(CxiNames.ROLLBACK_TO).isPresent();
    if (asked) {
      return IDLE;
    }
    boolean wanted =
        before.revision().equals(report.revision()) || spec.revision().equals(report.revision());
    if (!wanted) {
      return failed(
          maintenance,
          new UpdateFailure(Cause.WrongRevision, "its driver agent installed another revision"));
    }
    if (before.checkedSince().isEmpty()) {
      return new NodeRolloutStep.Remember(before.checkedFrom(now, node));
    }
    DriverHealthCheck check = new DriverHealthCheck(spec, node, before);
    List<String> exceeded = check.exceeded(now);
    if (!exceeded.isEmpty()) {
      return failed(
          maintenance,
          new UpdateFailure(
              Cause.CountersExceeded, "after the update " + String.join(", ", exceeded)));
    }
    Instant since = before.checkedSince().get();
    Instant soaked = since.plus(spec.update().gate().soak());
    List<String> problems = check.problems(report);
    if (problems.isEmpty()) {
      return now.isBefore(soaked)
          ? new NodeRolloutStep.Wait(Optional.of(soaked))
          : new NodeRolloutStep.Answer(
              VALIDATION_CLIENT,
              VALIDATED,
              new Verdict.Updated(
                  "driver %s is installed and healthy".formatted(report.version())));
    }
    Instant end =
        since.plus(longer(spec.update().healthCheckTimeout(), spec.update().gate().soak()));
    return now.isBefore(end)
        ? new NodeRolloutStep.Wait(Optional.of(end))
        : failed(
            maintenance,
            new UpdateFailure(
                Cause.HealthCheckTimeout,
                "not healthy within healthCheckTimeout (%s): %s"
                    .formatted(spec.update().healthCheckTimeout(), String.join(", ", problems))));
  }

  private static Duration longer(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? other : one;
  }

  private NodeRolloutStep failed(CxiNode.Maintenance maintenance, DriverReport report) {
    UpdateFailure failure = new UpdateFailure(Cause.InstallFailed, CxiNode.described(report));
    return report.state() == DriverReport.State.RollbackFailed
        ? giveUp(maintenance, failure.because(Cause.RollbackFailed, "rolling back failed, too: "))
        : failed(maintenance, failure);
  }

  private NodeRolloutStep failed(CxiNode.Maintenance maintenance, UpdateFailure failure) {
    if (maintenance.annotation(CxiNames.ROLLBACK_TO).isPresent()) {
      return IDLE;
    }
    Optional<String> previous =
        Optional.ofNullable(node.annotations().get(CxiNames.PREVIOUS_VERSION))
            .filter(version -> !version.isEmpty());
    if (spec.update().rollback() && previous.isPresent()) {
      return new NodeRolloutStep.RollBack(previous.get(), failure);
    }
    return giveUp(
        maintenance,
        spec.update().rollback()
            ? failure.with("; there is no previous version to go back to")
            : failure);
  }

  private static NodeRolloutStep giveUp(CxiNode.Maintenance maintenance, UpdateFailure failure) {
    Verdict failed = new Verdict.Failed(failure);
    return maintenance.state() == MaintenanceState.VALIDATING
        ? new NodeRolloutStep.Answer(VALIDATION_CLIENT, FAILED, failed)
        : new NodeRolloutStep.Answer(MAINTENANCE_CLIENT, INCOMPLETE, failed);
  }

  /**
   * The roll-out is stopped before the node is declared fit: in the other order the next node would
   * leave.
   */
  private NodeRolloutStep rolledBack(
      CxiNode.Maintenance maintenance, DriverReport report, NodeBaseline before) {
    String why =
        maintenance
            .failure()
            .map(UpdateFailure::message)
            .orElseGet(() -> Objects.requireNonNullElse(report.error(), "no reason given"));
    String reason =
        "node %s went back from %s to %s: %s"
            .formatted(node.name(), before.version(), report.version(), why);
    if (!maintenance.campaign().isEmpty() && !rolloutStopped) {
      return new NodeRolloutStep.StopRollout(reason);
    }
    if (maintenance.state() == MaintenanceState.DRAINED) {
      return new NodeRolloutStep.Answer(
          MAINTENANCE_CLIENT, COMPLETE, new Verdict.RolledBack(reason));
    }
    if (before.checkedSince().isEmpty()) {
      return new NodeRolloutStep.Remember(before.checkedFrom(now, node));
    }
    List<String> problems = new DriverHealthCheck(spec, node, before).problems(report);
    if (problems.isEmpty()) {
      return new NodeRolloutStep.Answer(
          VALIDATION_CLIENT, VALIDATED, new Verdict.RolledBack(reason));
    }
    // twice: the time of the new driver is in it if that failed its check
    Instant end =
        before.checkedSince().get().plus(spec.update().healthCheckTimeout().multipliedBy(2));
    return now.isBefore(end)
        ? new NodeRolloutStep.Wait(Optional.of(end))
        : giveUp(
            maintenance,
            new UpdateFailure(
                Cause.RollbackFailed,
                "not fit with its previous driver either: " + String.join(", ", problems)));
  }
}
