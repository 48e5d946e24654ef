package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.engine.NodeEmptiness;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.drain.request.decide.DrainRequestPolicy;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.maintenance.decide.ClassAutomationDecider;
import dev.drydock.maintenance.decide.ClassAutomationInput;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt;
import dev.drydock.maintenance.decide.ClassAutomationInput.Emptying;
import dev.drydock.maintenance.decide.ClassAutomationInput.NodeState;
import dev.drydock.maintenance.decide.ClassAutomationStep;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import dev.drydock.maintenance.decide.ClassAutomationStep.Run;
import dev.drydock.maintenance.decide.ClassAutomationStep.Say;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The scheduler, drainer, maintenance and validation clients that come with a MaintenanceClass:
 * looks at what they need and does what {@link ClassAutomationDecider} says.
 */
final class ClassAutomation {
  private static final Logger LOG = LoggerFactory.getLogger(ClassAutomation.class);

  /** Pods of the node are not watched. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  private static final int LOG_LINES = 20;

  private final KubeHttp http;
  private final Clock clock;
  private final MaintenanceWriter writer;
  private final NodeWriter nodes;
  private final NodeHolds holds;
  private final ClassCaches classes;
  private final DeparturePermission permission;
  private final NodeEmptiness emptiness;

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
      MaintenanceController.Dependencies around) {
    http = kube.http();
    clock = kube.clock();
    this.writer = writer;
    this.nodes = nodes;
    this.classes = classes;
    holds = around.holds();
    permission = around.permission();
    emptiness = new NodeEmptiness(kube);
  }

  static String holder(MaintenanceFacts of) {
    return Hold.MAINTENANCE_PREFIX + of.identity();
  }

  static Hold hold(MaintenanceFacts of, Instant since) {
    return Hold.of(holder(of), "maintenance " + of.spec().maintenanceID(), since);
  }

  Served serve(NotifyMaintenanceObject seen, Optional<MaintenanceNodeObject> node) {
    Optional<MaintenanceClassObject> maintenanceClass = classes.maintenanceClass(seen);
    return switch (ClassAutomationDecider.decide(
        input(seen, node, maintenanceClass, classes.jobs()))) {
      case ClassAutomationStep.Wait(String why, Optional<Instant> until) -> waits(seen, why, until);
      case ClassAutomationStep.TakeOut() -> takeOut(seen, node.orElseThrow());
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
        var _ = holds.release(seen.facts().node(), holder(seen.facts()));
        yield Served.WAITS;
      }
    };
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
      List<JobObject> jobs) {
    MaintenanceState state = seen.facts().state();
    boolean drains =
        !seen.facts().deleted()
            && (state == MaintenanceState.STARTED || state == MaintenanceState.SLA_EXPIRED);
    boolean leaves = state == MaintenanceState.SCHEDULED;
    Emptying emptying =
        (drains ? drain(seen, maintenanceClass) : Optional.<DrainObject>empty())
            .map(object -> classes.drains().emptying(seen, object))
            .orElseGet(Emptying.NotBegun::new);
    return new ClassAutomationInput(
        seen.facts(),
        maintenanceClass.map(MaintenanceClassObject::facts),
        node.map(there -> nodeState(seen, there)),
        emptying,
        attempts(seen, jobs, Purpose.WORK),
        attempts(seen, jobs, Purpose.PROOF),
        leaves ? permission.leave(seen) : Optional.empty(),
        busyWith(seen, jobs),
        permission.stopped(),
        begun(seen),
        clock.instant());
  }

  private static NodeState nodeState(NotifyMaintenanceObject seen, MaintenanceNodeObject node) {
    return new NodeState(
        node.isHeldBy(holder(seen.facts())),
        node.facts().labels().contains(seen.facts().nodeLabel()),
        node.facts().unschedulable(),
        node.ready());
  }

  private static List<Attempt> attempts(
      NotifyMaintenanceObject seen, List<JobObject> jobs, Purpose purpose) {
    return jobs.stream()
        .filter(job -> job.maintenance().equals(seen.uid()))
        .filter(job -> job.purpose() == purpose)
        .map(JobObject::attempt)
        .sorted(Comparator.comparingInt(Attempt::number))
        .toList();
  }

  /** Another maintenance's Job that runs on the same node. */
  private static Optional<String> busyWith(NotifyMaintenanceObject than, List<JobObject> jobs) {
    return jobs.stream()
        .filter(job -> job.node().equals(than.facts().node()))
        .filter(job -> !job.maintenance().equals(than.uid()))
        .filter(job -> job.attempt().stage() == Attempt.Stage.RUNNING)
        .map(job -> "Job %s/%s, which works on the node".formatted(job.namespace(), job.name()))
        .findFirst();
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

  /** The hold first: a label alone would mean nothing to anybody. */
  private Served takeOut(NotifyMaintenanceObject seen, MaintenanceNodeObject node) {
    Hold hold = hold(seen.facts(), clock.instant());
    Holds held = holds.placeIf(() -> writer.isStillScheduled(seen), seen.facts().node(), hold);
    if (!held.heldBy(hold.holder())) {
      return Served.WAITS; // what the caches do not know yet they will soon
    }
    nodes.label(node, seen.facts().nodeLabel());
    LOG.info("NotifyMaintenance {}: node {} is out of service", seen, seen.facts().node());
    return Served.WAITS;
  }

  private Served say(NotifyMaintenanceObject seen, Say say) {
    NotifyMaintenanceObject told = seen;
    if (!say.message().isEmpty()) {
      told = writer.report(seen, say.value(), say.message(), lastLogLines(seen));
    }
    return Served.changed(writer.annotate(told, say.as().annotation(), say.value()));
  }

  private Served run(
      NotifyMaintenanceObject seen, MaintenanceClassObject maintenanceClass, Run run) {
    if (!isStillDue(seen, maintenanceClass, run)) {
      return Served.WAITS; // what the caches do not know yet they will soon
    }
    MaintenanceClassSpec spec = maintenanceClass.spec();
    MaintenanceClassSpec.JobStep step =
        run.purpose() == Purpose.WORK ? spec.maintenance().job() : spec.validation().job();
    if (step == null) {
      return Served.WAITS; // the class was changed under our hands
    }
    List<String> left = run.purpose() == Purpose.WORK ? podsLeft(seen, spec) : List.of();
    if (!left.isEmpty()) {
      return waits(
          seen,
          "pods that are on the node although it was drained: " + String.join(", ", left),
          Optional.of(clock.instant().plus(LOOK_AGAIN)));
    }
    ObjectNode job = JobTemplate.fill(step.template(), seen, run);
    String jobs = Resource.JOBS.collection(seen.object().namespace());
    KubeAnswer answer = http.send(ApiCall.create(jobs, job.toString()));
    if (answer.code() != HttpURLConnection.HTTP_CONFLICT) {
      var _ = answer.orThrow("Job for NotifyMaintenance " + seen);
      LOG.info("NotifyMaintenance {}: Job {} created", seen, JobTemplate.name(seen, run));
    }
    return Served.WAITS;
  }

  /**
   * Looked at last: somebody may have put a pod on the node since the drain ended. Only where it is
   * known which pods have to leave.
   */
  private List<String> podsLeft(NotifyMaintenanceObject seen, MaintenanceClassSpec spec) {
    MaintenanceClassSpec.Drain drain = spec.drain();
    return drain == null || drain.builtin() == null
        ? List.of()
        : emptiness.left(seen.facts().node(), DrainRequestPolicy.of(drain.builtin().policy()));
  }

  /** Nothing is begun on a node by hearsay: decided again on what is there now. */
  private boolean isStillDue(
      NotifyMaintenanceObject seen, MaintenanceClassObject maintenanceClass, Run run) {
    if (!writer.isNewest(seen)) {
      return false;
    }
    List<JobObject> jobs = classes.readJobs();
    Optional<MaintenanceNodeObject> node = nodes.read(seen.facts().node());
    return ClassAutomationDecider.decide(input(seen, node, Optional.of(maintenanceClass), jobs))
        .equals(run);
  }

  /** Of the Job that ended last; what cannot be read is said in place of them. */
  private List<String> lastLogLines(NotifyMaintenanceObject seen) {
    Optional<JobObject> last =
        classes.jobs().stream()
            .filter(job -> job.maintenance().equals(seen.uid()))
            .filter(job -> job.attempt().stage() == Attempt.Stage.FAILED)
            .max(Comparator.comparing(job -> job.attempt().finished()));
    if (last.isEmpty()) {
      return List.of();
    }
    String pods = Resource.PODS.collection(last.get().namespace());
    KubeAnswer list =
        http.send(
            ApiCall.list(
                pods
                    + "?labelSelector="
                    + ApiCall.encode("batch.kubernetes.io/job-name=" + last.get().name())));
    String pod = text(list.body().path("items").path(0).path("metadata"), "name");
    if (pod.isEmpty()) {
      return List.of("no pod of Job " + last.get().name() + " is left to read the log of");
    }
    KubeAnswer log = http.send(ApiCall.get(pods + "/" + pod + "/log?tailLines=" + LOG_LINES));
    if (!log.ok()) {
      return List.of("the log of pod %s could not be read: %s".formatted(pod, log.message()));
    }
    String lines = text(log.body(), "message");
    return (lines.isEmpty() ? log.body().toString() : lines).lines().toList();
  }
}
