package dev.drydock.slingshot.driver.decide;

import dev.drydock.contracts.cxi.CXIDriverSpec.SourceType;
import dev.drydock.contracts.cxi.DriverReport;
import dev.drydock.contracts.cxi.DriverReport.State;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The next step of a driver agent. It follows from the node's report, its maintenance, and what is
 * on the disk and in the kernel; every step may be repeated. Modules are never unloaded while
 * anybody uses them, nor without a maintenance on a node that has a driver.
 *
 * @param report what the agent, or the one before it, said last
 * @param kernel that runs
 * @param loaded the modules of the driver that are loaded
 * @param modules meaningful once the files are in place
 * @param users meaningful if modules would have to be replaced
 * @param stopping since when retry handlers are asked to stop
 * @param poll how often users are looked for again
 */
public record AgentDecision(
    DriverTarget wanted,
    DriverRecords records,
    Optional<DriverReport> report,
    Optional<AgentMaintenance> maintenance,
    String kernel,
    DriverWork work,
    List<String> loaded,
    ModuleState modules,
    ModuleUsers users,
    Optional<Instant> stopping,
    Duration poll,
    Instant now) {
  private static final Duration FIRST_RETRY = Duration.ofSeconds(10);
  private static final Duration LONGEST_RETRY = Duration.ofMinutes(10);

  /** Handlers stop by themselves within this time, or they are stopped. */
  static final Duration HANDLERS_STOP = Duration.ofSeconds(30);

  public AgentStep next() {
    DriverGoal goal = goal();
    return switch (goal) {
      case DriverGoal.Leave(String reason) ->
          resumed().orElseGet(() -> new AgentStep.Wait(reason, Optional.empty()));
      case DriverGoal.NoWayBack(String version, String uid) ->
          said(
              failed(
                  goal,
                  new DriverWork.Failure(
                      FailureReason.NoSuchVersion,
                      "rollback",
                      "nothing on this node says how to get driver " + version,
                      List.of()),
                  Optional.of(uid)),
              Optional.empty());
      case DriverGoal.Keep(DriverTarget target) -> pursue(goal, target, Optional.empty());
      case DriverGoal.Install(DriverTarget target, Optional<String> uid) ->
          pursue(goal, target, uid);
      case DriverGoal.RollBack(DriverTarget target, String uid) ->
          pursue(goal, target, Optional.of(uid));
    };
  }

  public DriverGoal goal() {
    return DriverGoal.of(wanted, records, report, maintenance);
  }

  private AgentStep pursue(DriverGoal goal, DriverTarget target, Optional<String> uid) {
    if (work.running().isPresent()) {
      return goal instanceof DriverGoal.Keep
          ? new AgentStep.Wait(work.step(), Optional.empty())
          : said(begun(goal, target, uid, work.step()), Optional.empty());
    }
    Optional<DriverWork.Ended> files = work.filesOf(target, kernel);
    if (files.isEmpty()) {
      return begin(goal, target, uid);
    }
    if (files.get().failure().isPresent()) {
      return failedTask(goal, target, uid, files.get(), DriverTask.Kind.FILES);
    }
    return switch (modules) {
      case CURRENT -> finish(goal, target, uid);
      case ABSENT -> load(goal, target, uid, DriverTask.Kind.LOAD);
      case OUTDATED, UNKNOWN ->
          goal instanceof DriverGoal.Keep || target.type() == SourceType.preinstalled
              ? finish(goal, target, uid)
              : replace(goal, target, uid);
    };
  }

  /** The operator hears of it before anything is changed. */
  private AgentStep begin(DriverGoal goal, DriverTarget target, Optional<String> uid) {
    AgentStep start = new AgentStep.Start(task(target, DriverTask.Kind.FILES), target);
    if (goal instanceof DriverGoal.Keep) {
      return start;
    }
    DriverReport begun = begun(goal, target, uid, "begin");
    boolean known =
        report
            .filter(each -> each.state() == begun.state())
            .filter(each -> Objects.equals(each.maintenance(), begun.maintenance()))
            .filter(each -> Objects.equals(each.wanted(), begun.wanted()))
            .isPresent();
    return known ? start : new AgentStep.Report(begun, replaced(goal));
  }

  /** What a rollback of this goal would go back to. */
  private Optional<String> replaced(DriverGoal goal) {
    boolean installs =
        goal instanceof DriverGoal.Install install && install.maintenance().isPresent();
    return installs
        ? report
            .filter(each -> !wanted.revision().equals(each.revision()))
            .map(DriverReport::version)
            .filter(version -> !version.isEmpty())
        : Optional.empty();
  }

  private AgentStep failedTask(
      DriverGoal goal,
      DriverTarget target,
      Optional<String> uid,
      DriverWork.Ended ended,
      DriverTask.Kind retried) {
    DriverWork.Failure failure = ended.failure().orElseThrow();
    // another build ends by itself, and says nothing about this driver
    boolean passing = failure.reason() == FailureReason.Busy;
    boolean retries = uid.isEmpty() || passing;
    Instant again = ended.at().plus(delay(ended.failures()));
    if (retries && !now.isBefore(again)) {
      return new AgentStep.Start(task(target, retried), target);
    }
    if (stopping.isPresent()) {
      return new AgentStep.ResumeHandlers();
    }
    Optional<Instant> until = retries ? Optional.of(again) : Optional.empty();
    return passing
        ? new AgentStep.Wait(failure.message(), until)
        : said(failed(goal, failure, uid), until);
  }

  private static Duration delay(int failures) {
    Duration delay = FIRST_RETRY.multipliedBy(1L << Math.min(failures - 1, 10));
    return delay.compareTo(LONGEST_RETRY) < 0 ? delay : LONGEST_RETRY;
  }

  private AgentStep load(
      DriverGoal goal, DriverTarget target, Optional<String> uid, DriverTask.Kind kind) {
    Optional<DriverWork.Failure> failure = work.loadFailureOf(target);
    return failure.isPresent()
        ? failedTask(goal, target, uid, work.modules().orElseThrow(), kind)
        : new AgentStep.Start(task(target, kind), target);
  }

  private AgentStep replace(DriverGoal goal, DriverTarget target, Optional<String> uid) {
    String inTheWay = users.inTheWay();
    if (!inTheWay.isEmpty()) {
      return rebootRequired(goal, target, uid, inTheWay);
    }
    if (!users.handlers().isEmpty()) {
      return stopHandlers(target);
    }
    Optional<DriverWork.Failure> failure = work.loadFailureOf(target);
    boolean refused = failure.filter(each -> each.reason() == FailureReason.Busy).isPresent();
    if (refused) {
      DriverWork.Ended ended = work.modules().orElseThrow();
      Instant again = ended.at().plus(delay(ended.failures()));
      return now.isBefore(again)
          ? rebootRequired(goal, target, uid, failure.get().message())
          : new AgentStep.Start(task(target, DriverTask.Kind.RELOAD), target);
    }
    return load(goal, target, uid, DriverTask.Kind.RELOAD);
  }

  private AgentStep stopHandlers(DriverTarget target) {
    if (stopping.isEmpty()) {
      return new AgentStep.StopHandlers("driver " + target.version() + " is about to be loaded");
    }
    Instant patience = stopping.get().plus(HANDLERS_STOP);
    return now.isBefore(patience)
        ? new AgentStep.Wait("retry handlers stop", Optional.of(patience))
        : new AgentStep.TerminateHandlers(users.handlers());
  }

  private AgentStep rebootRequired(
      DriverGoal goal, DriverTarget target, Optional<String> uid, String why) {
    Optional<AgentStep> resumed = resumed();
    return resumed.isPresent()
        ? resumed.get()
        : said(
            new DriverReport(
                State.RebootRequired,
                report.map(DriverReport::revision).orElse(null),
                report.map(DriverReport::version).orElse(null),
                goal instanceof DriverGoal.RollBack ? wanted.revision() : target.revision(),
                uid.orElse(null),
                loaded,
                "load",
                why,
                null,
                time()),
            Optional.of(now.plus(poll)));
  }

  private AgentStep finish(DriverGoal goal, DriverTarget target, Optional<String> uid) {
    Optional<AgentStep> resumed = resumed();
    if (resumed.isPresent()) {
      return resumed.get();
    }
    DriverReport done = done(goal, target, uid);
    if (!says(done)) {
      return new AgentStep.Report(done, Optional.empty());
    }
    boolean complete =
        goal instanceof DriverGoal.Install
            && maintenance.filter(each -> !each.validating() && !each.complete()).isPresent();
    return complete
        ? new AgentStep.Complete(uid.orElseThrow())
        : new AgentStep.Wait("nothing", Optional.empty());
  }

  private DriverReport done(DriverGoal goal, DriverTarget target, Optional<String> uid) {
    // a node that went back says so until it gets another driver
    boolean back =
        goal instanceof DriverGoal.RollBack
            || (goal instanceof DriverGoal.Keep
                && report.filter(each -> each.state() == State.RolledBack).isPresent());
    boolean kept = goal instanceof DriverGoal.Keep;
    return new DriverReport(
        back ? State.RolledBack : State.Installed,
        target.revision(),
        target.version(),
        back ? report.map(DriverReport::wanted).orElse(wanted.revision()) : null,
        kept ? report.map(DriverReport::maintenance).orElse(null) : uid.orElse(null),
        loaded,
        null,
        back ? report.map(DriverReport::error).orElse(null) : null,
        null,
        time());
  }

  private DriverReport begun(
      DriverGoal goal, DriverTarget target, Optional<String> uid, String step) {
    boolean back = goal instanceof DriverGoal.RollBack;
    return new DriverReport(
        back ? State.RollingBack : State.Installing,
        report.map(DriverReport::revision).orElse(null),
        report.map(DriverReport::version).orElse(null),
        back ? wanted.revision() : target.revision(),
        uid.orElse(null),
        loaded,
        step,
        back ? report.map(DriverReport::error).orElse(null) : null,
        null,
        time());
  }

  private DriverReport failed(DriverGoal goal, DriverWork.Failure failure, Optional<String> uid) {
    boolean back = goal instanceof DriverGoal.RollBack || goal instanceof DriverGoal.NoWayBack;
    boolean kept = goal instanceof DriverGoal.Keep;
    return new DriverReport(
        back ? State.RollbackFailed : State.Failed,
        report.map(DriverReport::revision).orElse(null),
        report.map(DriverReport::version).orElse(null),
        kept ? null : wanted.revision(),
        kept ? report.map(DriverReport::maintenance).orElse(null) : uid.orElse(null),
        loaded,
        failure.step(),
        failure.reason() + ": " + failure.message(),
        failure.log().isEmpty() ? null : failure.log(),
        time());
  }

  /** Written if it says anything new. */
  private AgentStep said(DriverReport wantedReport, Optional<Instant> until) {
    return says(wantedReport)
        ? new AgentStep.Wait(
            Objects.requireNonNullElse(
                wantedReport.error(), Objects.requireNonNullElse(wantedReport.step(), "")),
            until)
        : new AgentStep.Report(wantedReport, Optional.empty());
  }

  private boolean says(DriverReport wantedReport) {
    return report.filter(each -> timeless(each).equals(timeless(wantedReport))).isPresent();
  }

  private static DriverReport timeless(DriverReport report) {
    return new DriverReport(
        report.state(),
        none(report.revision()),
        none(report.version()),
        none(report.wanted()),
        none(report.maintenance()),
        report.modules(),
        none(report.step()),
        none(report.error()),
        report.log(),
        null);
  }

  private static String none(@Nullable String text) {
    return text == null ? "" : text;
  }

  private Optional<AgentStep> resumed() {
    return stopping.map(_ -> new AgentStep.ResumeHandlers());
  }

  private DriverTask task(DriverTarget target, DriverTask.Kind kind) {
    return new DriverTask(kind, target.revision(), kernel);
  }

  private String time() {
    return now.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
