package dev.drydock.maintenance.control;

import dev.drydock.contracts.NameLists;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.maintenance.decide.ClassAutomationDecider;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt;
import dev.drydock.maintenance.decide.ClassAutomationStep;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import dev.drydock.maintenance.decide.ClassAutomationStep.Run;
import dev.drydock.maintenance.decide.ClassAutomationStep.Say;
import dev.drydock.maintenance.decide.ClassDrainPolicy;
import dev.drydock.maintenance.decide.ClientAnnotation;
import dev.drydock.maintenance.decide.MaintenanceEvent;
import dev.drydock.maintenance.decide.MaintenanceFacts;
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
 * carries out the steps of {@link ClassAutomationDecider}.
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
  private final DrainEngine engine;
  private final NodeHolds holds;
  private final ClassCaches classes;
  private final MaintenanceCaches maintenances;
  private final DeparturePermission permission;
  private final boolean logs;
  private final ClassAutomationReader reader;
  private final MaintenanceEvents events;

  /**
   * What was done.
   *
   * @param after the maintenance as it is then; empty if nothing is to be done now
   * @param waitingFor what it waits for, to be said; empty to leave what was said
   * @param until when to look again, if time alone brings something
   */
  record Served(
      Optional<NotifyMaintenanceObject> after, String waitingFor, Optional<Instant> until) {
    static Served changed(NotifyMaintenanceObject after) {
      return new Served(Optional.of(after), "", Optional.empty());
    }

    static final Served WAITS = new Served(Optional.empty(), "", Optional.empty());
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
    engine = around.engine();
    holds = around.holds();
    permission = around.permission();
    this.logs = logs;
    reader = new ClassAutomationReader(classes, permission, clock);
    events = new MaintenanceEvents(kube.events());
  }

  static Hold hold(MaintenanceFacts of, Instant since) {
    return Hold.of(of.holder(), "maintenance " + of.spec().maintenanceID(), since)
        .ownedBy(of.identity().uid());
  }

  /**
   * Does what is to be done next.
   *
   * @param others the other maintenances of its node
   */
  Served serve(
      NotifyMaintenanceObject seen,
      Optional<MaintenanceNodeObject> node,
      List<MaintenanceFacts> others) {
    Optional<MaintenanceClassObject> maintenanceClass = classes.maintenanceClass(seen);
    node.ifPresent(there -> nameRunningJob(seen, there));
    return switch (ClassAutomationDecider.decide(
        reader.input(seen, node, maintenanceClass, classes.jobs(), others))) {
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
          waits(why, Stream.concat(until.stream(), reader.askAgain(seen)).min(Instant::compareTo));
      case ClassAutomationStep.TakeOut() -> takeOut(seen, node.orElseThrow());
      case ClassAutomationStep.HoldAgain() -> holdAgain(seen, node.orElseThrow());
      case ClassAutomationStep.Empty() -> {
        classes
            .drains()
            .create(seen, ClassAutomationReader.drain(seen, maintenanceClass).orElseThrow());
        yield Served.WAITS;
      }
      case Say say -> say(seen, say);
      case Run run -> run(seen, maintenanceClass.orElseThrow(), run, others);
      case ClassAutomationStep.Return() -> {
        writer.delete(seen);
        yield Served.WAITS;
      }
      case ClassAutomationStep.Release() -> {
        endDrain(seen);
        var _ = holds.release(seen.facts().node(), seen.facts().holder(), seen.uid());
        yield Served.WAITS;
      }
    };
  }

  /** Ends what drains the node for a maintenance, also if its class is gone or was changed. */
  void endDrain(NotifyMaintenanceObject seen) {
    if (seen.facts().spec().maintenanceClass() != null) {
      classes
          .drains()
          .deleteAll(seen, ClassAutomationReader.drain(seen, classes.maintenanceClass(seen)));
    }
  }

  /** What counts of what was said about a maintenance with a class. */
  MaintenanceFacts believed(
      NotifyMaintenanceObject seen,
      Optional<MaintenanceNodeObject> node,
      List<MaintenanceFacts> others) {
    return ClassAutomationDecider.believed(
        reader.input(seen, node, classes.maintenanceClass(seen), classes.jobs(), others));
  }

  private static Served waits(String why, Optional<Instant> until) {
    return new Served(Optional.empty(), why, until);
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
        .ifPresent(work -> holds.work(facts.node(), facts.holder(), seen.uid(), work));
  }

  private Served run(
      NotifyMaintenanceObject seen,
      MaintenanceClassObject maintenanceClass,
      Run run,
      List<MaintenanceFacts> others) {
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
          "pods that are on the node although it was drained: " + NameLists.some(left),
          Optional.of(clock.instant().plus(LOOK_AGAIN)));
    }
    if (!isStillDue(seen, maintenanceClass, run, others)) {
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
        holds.work(facts.node(), facts.holder(), seen.uid(), work).byHolder().get(facts.holder());
    return hold != null && hold.work().filter(work::equals).isPresent();
  }

  /** One of that name is there: ours, which the watch will show, or not. */
  private Served existing(NotifyMaintenanceObject seen, Run run, ApiObject there) {
    if (!there.isOwnedBy(NotifyMaintenance.KIND, seen.uid())) {
      return waits(
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
    return ClassDrainPolicy.of(spec.drain())
        .map(policy -> engine.left(seen.facts().node(), policy))
        .orElse(List.of());
  }

  /** Decides again on fresh reads before acting on the node. */
  private boolean isStillDue(
      NotifyMaintenanceObject seen,
      MaintenanceClassObject maintenanceClass,
      Run run,
      List<MaintenanceFacts> known) {
    if (!writer.isNewest(seen)) {
      return false;
    }
    List<JobObject> jobs = classes.readJobs();
    // The cache may lack a maintenance; only one that has a Job matters here.
    boolean strangers =
        jobs.stream()
            .filter(job -> job.isRunning() && !job.isOf(seen.facts().identity()))
            .anyMatch(job -> job.node().equals(seen.facts().node()));
    List<MaintenanceFacts> others = strangers ? maintenances.readOthers(seen) : known;
    Optional<MaintenanceNodeObject> node = nodes.read(seen.facts().node());
    return ClassAutomationDecider.decide(
            reader.input(seen, node, Optional.of(maintenanceClass), jobs, others))
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
