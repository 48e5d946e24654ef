package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.engine.NodeEmptiness;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.maintenance.decide.ClassAutomationDecider;
import dev.drydock.maintenance.decide.ClassAutomationInput;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt;
import dev.drydock.maintenance.decide.ClassAutomationInput.DrainProgress;
import dev.drydock.maintenance.decide.ClassAutomationInput.NodeState;
import dev.drydock.maintenance.decide.ClassAutomationStep;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import dev.drydock.maintenance.decide.ClassAutomationStep.Run;
import dev.drydock.maintenance.decide.ClassAutomationStep.Say;
import dev.drydock.maintenance.decide.ClientAnnotation;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.NodeTurns;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler, drainer, maintenance and validation clients that come with a MaintenanceClass:
 * reads the objects that they need and carries out the steps of {@link ClassAutomationDecider}.
 */
final class ClassAutomation {
  private static final Logger LOG = LoggerFactory.getLogger(ClassAutomation.class);

  /** Pods of the node are not watched. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  /** When to look again whether somebody else's Job has given up our name. */
  private static final Duration FOREIGN_JOB = Duration.ofSeconds(30);

  private final KubeHttp http;
  private final Clock clock;
  private final MaintenanceWriter writer;
  private final NodeWriter nodes;
  private final NodeHolds holds;
  private final ClassCaches classes;
  private final MaintenanceCaches maintenances;
  private final DeparturePermission permission;
  private final boolean logs;
  private final NodeEmptiness emptiness;
  private final MaintenanceEvents events;

  /** What was done: the maintenance as it is then, or until when nothing is to be done. */
  record Served(Optional<NotifyMaintenanceObject> after, Optional<Instant> until) {
    static Served changed(NotifyMaintenanceObject after) {
      return new Served(Optional.of(after), Optional.empty());
    }

    static final Served WAITS = new Served(Optional.empty(), Optional.empty());
  }

  ClassAutomation(
      Kube kube,
      MaintenanceWriter writer,
      NodeWriter nodes,
      ClassCaches classes,
      MaintenanceCaches maintenances,
      MaintenanceController.Dependencies around,
      boolean logs) {
    http = kube.http();
    clock = kube.clock();
    this.writer = writer;
    this.nodes = nodes;
    this.classes = classes;
    this.maintenances = maintenances;
    holds = around.holds();
    permission = around.permission();
    this.logs = logs;
    emptiness = new NodeEmptiness(kube);
    events = new MaintenanceEvents(kube.events());
  }

  static String holder(MaintenanceFacts of) {
    return Hold.MAINTENANCE_PREFIX + of.identity();
  }

  static Hold hold(MaintenanceFacts of, Instant since) {
    return Hold.of(holder(of), "maintenance " + of.spec().maintenanceID(), since)
        .ownedBy(of.identity().uid());
  }

  Served serve(NotifyMaintenanceObject seen, Optional<MaintenanceNodeObject> node) {
    Optional<MaintenanceClassObject> maintenanceClass = classes.maintenanceClass(seen);
    node.ifPresent(there -> nameRunningJob(seen, there));
    return switch (ClassAutomationDecider.decide(
        input(seen, node, maintenanceClass, classes.jobs(), others(seen)))) {
      case ClassAutomationStep.Withdraw(ClientAnnotation claim) -> {
        NotifyMaintenanceObject after = writer.withdraw(seen, claim.annotation());
        events.record(
            seen,
            MaintenanceEvent.ClaimRejected,
            "annotation %s removed: the class carries out this step, and it has not passed"
                .formatted(claim.annotation()));
        yield Served.changed(after);
      }
      case ClassAutomationStep.Wait(String why, Optional<Instant> until) ->
          waits(seen, why, Stream.concat(until.stream(), askAgain(seen)).min(Instant::compareTo));
      case ClassAutomationStep.TakeOut() -> takeOut(seen, node.orElseThrow());
      case ClassAutomationStep.HoldAgain() -> holdAgain(seen, node.orElseThrow());
      case ClassAutomationStep.Empty() -> {
        classes.drains().create(seen, drain(seen, maintenanceClass).orElseThrow());
        yield Served.WAITS;
      }
      case Say say -> say(seen, say);
      case Run run -> run(seen, maintenanceClass.orElseThrow(), run);
      case ClassAutomationStep.Return() -> {
        writer.delete(seen);
        yield Served.WAITS;
      }
      case ClassAutomationStep.Release() -> {
        drain(seen, maintenanceClass).ifPresent(object -> classes.drains().delete(seen, object));
        var _ = holds.release(seen.facts().node(), holder(seen.facts()), seen.uid());
        yield Served.WAITS;
      }
    };
  }

  /** What counts of what was said about a maintenance with a class. */
  MaintenanceFacts believed(NotifyMaintenanceObject seen, Optional<MaintenanceNodeObject> node) {
    return ClassAutomationDecider.believed(
        input(seen, node, classes.maintenanceClass(seen), classes.jobs(), others(seen)));
  }

  private static Optional<DrainObject> drain(
      NotifyMaintenanceObject seen, Optional<MaintenanceClassObject> maintenanceClass) {
    return maintenanceClass.flatMap(
        known -> Optional.ofNullable(DrainObject.of(known.spec().drain(), seen)));
  }

  private ClassAutomationInput input(
      NotifyMaintenanceObject seen,
      Optional<MaintenanceNodeObject> node,
      Optional<MaintenanceClassObject> maintenanceClass,
      List<JobObject> jobs,
      List<MaintenanceFacts> others) {
    MaintenanceState state = seen.facts().state();
    boolean drains =
        !seen.facts().deleted()
            && (state == MaintenanceState.STARTED || state == MaintenanceState.SLA_EXPIRED);
    boolean leaves = state == MaintenanceState.SCHEDULED;
    DrainProgress emptying =
        (drains ? drain(seen, maintenanceClass) : Optional.<DrainObject>empty())
            .map(object -> classes.drains().emptying(seen, object))
            .orElseGet(DrainProgress.NotBegun::new);
    return new ClassAutomationInput(
        seen.facts(),
        maintenanceClass.map(MaintenanceClassObject::facts),
        node.map(there -> nodeState(seen, there)),
        emptying,
        attempts(seen, jobs, Purpose.WORK),
        attempts(seen, jobs, Purpose.PROOF),
        leaves ? permission.leave(seen) : Optional.empty(),
        busyWith(seen, node, jobs, others),
        permission.stopped(),
        begun(seen),
        clock.instant());
  }

  private static NodeState nodeState(NotifyMaintenanceObject seen, MaintenanceNodeObject node) {
    return new NodeState(
        node.isHeldFor(seen.facts()),
        node.facts().labels().contains(seen.facts().nodeLabel()),
        node.facts().unschedulable(),
        node.ready(),
        node.fleet().created().isAfter(begun(seen))
            && node.fleet().created().isAfter(seen.facts().identity().created()));
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
  private Stream<Instant> askAgain(NotifyMaintenanceObject seen) {
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

  /** The other maintenances of its node, as far as they are known. */
  private List<MaintenanceFacts> others(NotifyMaintenanceObject than) {
    return maintenances.maintenances(than.facts().node()).stream()
        .filter(other -> !other.uid().equals(than.uid()))
        .map(NotifyMaintenanceObject::facts)
        .toList();
  }

  /** Another maintenance's Job that runs on the same node, or another whose turn it is. */
  private static Optional<String> busyWith(
      NotifyMaintenanceObject than,
      Optional<MaintenanceNodeObject> node,
      List<JobObject> jobs,
      List<MaintenanceFacts> others) {
    return jobs.stream()
        .filter(JobObject::isRunning)
        .filter(
            job ->
                others.stream().anyMatch(other -> job.isOf(other.identity()))
                    || node.filter(there -> isLeftBehind(job, there)).isPresent())
        .map(job -> job + ", which works on the node")
        .findFirst()
        .or(() -> NodeTurns.before(than.facts(), others));
  }

  /** Whether it is of a maintenance that is gone, for which the node is still held. */
  private static boolean isLeftBehind(JobObject job, MaintenanceNodeObject node) {
    String holder = Hold.MAINTENANCE_PREFIX + job.namespace() + "/" + job.owner().name();
    return node.fleet().holders().contains(Hold.GONE_PREFIX + holder);
  }

  private static Instant begun(NotifyMaintenanceObject seen) {
    for (JsonNode each : seen.status().path("transitionTimestamps")) {
      if (text(each, "maintenanceStatus").equals(MaintenanceState.STARTED.text())) {
        return time(each, "transitionTimestamp");
      }
    }
    return seen.facts().identity().created();
  }

  private Served waits(NotifyMaintenanceObject seen, String why, Optional<Instant> until) {
    boolean news = !why.isEmpty() && !why.equals(text(seen.status(), "waitingFor"));
    if (news && !seen.facts().deleted()) {
      return new Served(Optional.of(writer.waits(seen, why)), until);
    }
    return new Served(Optional.empty(), until);
  }

  /** Places the hold before the label. */
  private Served takeOut(NotifyMaintenanceObject seen, MaintenanceNodeObject node) {
    Hold hold = hold(seen.facts(), clock.instant());
    Holds held =
        holds.placeIf(
            () -> writer.isStillScheduled(seen) && permission.confirms(seen),
            seen.facts().node(),
            hold);
    if (!held.heldBy(hold.holder(), hold.owner())) {
      return Served.WAITS; // the caches will show the change soon
    }
    nodes.label(node, seen.facts().nodeLabel());
    LOG.info("NotifyMaintenance {}: node {} is out of service", seen, seen.facts().node());
    return Served.WAITS;
  }

  /** Only what is true when the node has been read: a person may just have ended it. */
  private Served holdAgain(NotifyMaintenanceObject seen, MaintenanceNodeObject node) {
    Hold hold = hold(seen.facts(), clock.instant());
    Holds held = holds.placeIf(() -> writer.isNewest(seen), seen.facts().node(), hold);
    if (!held.heldBy(hold.holder(), hold.owner())) {
      return Served.WAITS; // the caches will show the change soon
    }
    nodes.label(node, seen.facts().nodeLabel());
    String what =
        "node %s was deleted and created again during the maintenance; it is held and cordoned again"
            .formatted(seen.facts().node());
    LOG.warn("NotifyMaintenance {}: {}", seen, what);
    events.record(seen, MaintenanceEvent.HeldAgain, what);
    return Served.WAITS;
  }

  private Served say(NotifyMaintenanceObject seen, Say say) {
    NotifyMaintenanceObject told = seen;
    if (!say.message().isEmpty()) {
      told = writer.report(seen, say.value(), say.message(), lastLogLines(seen));
    }
    String annotation = say.as().annotation();
    return told.facts().annotation(annotation).equals(Optional.of(say.value()))
        ? Served.WAITS // it was said, and nothing came of it
        : Served.changed(writer.annotate(told, annotation, say.value()));
  }

  /**
   * A hold names the Job before it exists, and its UID as soon as it is known: then no drain evicts
   * its pods, whoever asks for it.
   */
  private void nameRunningJob(NotifyMaintenanceObject seen, MaintenanceNodeObject node) {
    MaintenanceFacts facts = seen.facts();
    classes.jobs().stream()
        .filter(job -> job.isRunning() && job.isOf(facts.identity()))
        .map(job -> new Hold.Work(job.namespace(), job.name(), job.uid()))
        .findFirst()
        .filter(work -> node.isHeldFor(facts) && !node.names(work, facts))
        .ifPresent(work -> holds.work(facts.node(), holder(facts), seen.uid(), work));
  }

  private Served run(
      NotifyMaintenanceObject seen, MaintenanceClassObject maintenanceClass, Run run) {
    MaintenanceClassSpec spec = maintenanceClass.spec();
    MaintenanceClassSpec.JobStep step =
        run.purpose() == Purpose.WORK ? spec.maintenance().job() : spec.validation().job();
    if (step == null) {
      return Served.WAITS; // the class was changed under our hands
    }
    String name = JobTemplate.name(seen.facts().identity(), run);
    if (!namesOnHold(seen, name)) {
      return Served.WAITS; // the caches will show the change soon
    }
    List<String> left = run.purpose() == Purpose.WORK ? podsLeft(seen, spec) : List.of();
    if (!left.isEmpty()) {
      return waits(
          seen,
          "pods that are on the node although it was drained: " + String.join(", ", left),
          Optional.of(clock.instant().plus(LOOK_AGAIN)));
    }
    if (!isStillDue(seen, maintenanceClass, run)) {
      return Served.WAITS; // the caches will show the change soon
    }
    KubeHttp.Creation creation =
        JobTemplate.create(http, JobTemplate.fill(step.template(), seen, run));
    ApiObject job = ApiObject.of(creation.object());
    if (creation.existed()) {
      return existing(seen, run, job);
    }
    LOG.info("NotifyMaintenance {}: Job {} created", seen, job.name());
    return Served.WAITS;
  }

  /** Whether the node is still held and its hold names the Job that is to be created. */
  private boolean namesOnHold(NotifyMaintenanceObject seen, String job) {
    MaintenanceFacts facts = seen.facts();
    Hold.Work work = new Hold.Work(facts.identity().namespace(), job, "");
    Hold hold =
        holds.work(facts.node(), holder(facts), seen.uid(), work).byHolder().get(holder(facts));
    return hold != null && hold.work().filter(work::equals).isPresent();
  }

  /** One of that name is there: ours, which the watch will show, or not. */
  private Served existing(NotifyMaintenanceObject seen, Run run, ApiObject there) {
    if (!there.isOwnedBy(NotifyMaintenance.KIND, seen.uid())) {
      return waits(
          seen,
          "Job %s, which is not of this maintenance, to be deleted".formatted(there),
          Optional.of(clock.instant().plus(FOREIGN_JOB))); // no watch shows it
    }
    Map<String, String> labels = JobTemplate.labels(seen, run);
    if (!there.labels().entrySet().containsAll(labels.entrySet())) {
      Patch patch = Patch.sameUid(Resource.JOBS, there);
      labels.forEach(patch::label);
      var _ = patch.send(http); // without them the watch does not show it
    }
    return Served.WAITS;
  }

  /**
   * Looked at last: somebody may have put a pod on the node since the drain ended. Only where it is
   * known which pods have to leave.
   */
  private List<String> podsLeft(NotifyMaintenanceObject seen, MaintenanceClassSpec spec) {
    return DrainObject.builtinPolicy(spec.drain())
        .map(policy -> emptiness.left(seen.facts().node(), policy))
        .orElse(List.of());
  }

  /** Decides again on fresh reads before acting on the node. */
  private boolean isStillDue(
      NotifyMaintenanceObject seen, MaintenanceClassObject maintenanceClass, Run run) {
    if (!writer.isNewest(seen)) {
      return false;
    }
    List<JobObject> jobs = classes.readJobs();
    // The cache may lack a maintenance; only one that has a Job matters here.
    boolean strangers =
        jobs.stream()
            .filter(job -> job.isRunning() && !job.isOf(seen.facts().identity()))
            .anyMatch(job -> job.node().equals(seen.facts().node()));
    List<MaintenanceFacts> others = strangers ? maintenances.readOthers(seen) : others(seen);
    Optional<MaintenanceNodeObject> node = nodes.read(seen.facts().node());
    return ClassAutomationDecider.decide(
            input(seen, node, Optional.of(maintenanceClass), jobs, others))
        .equals(run);
  }

  /** The last log lines of the Job that failed last; none if logs are not to be copied. */
  private List<String> lastLogLines(NotifyMaintenanceObject seen) {
    return classes.jobs().stream()
        .filter(job -> logs && job.isOf(seen.facts().identity()))
        .filter(job -> job.attempt().stage() == Attempt.Stage.FAILED)
        .max(Comparator.comparing(job -> job.attempt().finished()))
        .map(classes.jobPods()::lastLogLines)
        .orElse(List.of());
  }
}
