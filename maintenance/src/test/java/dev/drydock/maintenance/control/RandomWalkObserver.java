package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.drain.hold.HoldsAnnotation;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.request.decide.DrainRequestFacts;
import dev.drydock.maintenance.decide.ClassAutomationInput.Attempt;
import dev.drydock.maintenance.decide.ClassAutomationStep.Purpose;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.sim.call.Call;
import dev.drydock.sim.call.CallInterceptor;
import dev.drydock.sim.fault.FaultPlan;
import dev.drydock.sim.store.ObjectChange;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Sees every change of the cluster when it is made, and who made it, and notes what breaks an
 * invariant. What it is told comes one change at a time.
 */
final class RandomWalkObserver implements CallInterceptor {
  /** It goes with the cordon. */
  private static final String CORDON_TAINT = "node.kubernetes.io/unschedulable";

  private static final Map<MaintenanceState, Set<MaintenanceState>> TRANSITIONS =
      Map.of(
          MaintenanceState.NONE, Set.of(MaintenanceState.SCHEDULED),
          MaintenanceState.SCHEDULED, Set.of(MaintenanceState.STARTED),
          MaintenanceState.STARTED, Set.of(MaintenanceState.SLA_EXPIRED, MaintenanceState.DRAINED),
          MaintenanceState.SLA_EXPIRED, Set.of(MaintenanceState.DRAINED),
          MaintenanceState.DRAINED,
              Set.of(MaintenanceState.VALIDATING, MaintenanceState.INCOMPLETE),
          MaintenanceState.VALIDATING, Set.of(MaintenanceState.INCOMPLETE));

  final List<String> wrong = new CopyOnWriteArrayList<>();

  /** Names of maintenances that had begun and are over. */
  final Set<String> ended = ConcurrentHashMap.newKeySet();

  private final FaultPlan plan;
  private final ThreadLocal<Optional<Call>> answered = ThreadLocal.withInitial(Optional::empty);
  private final Map<String, MaintenanceNodeObject> nodes = new ConcurrentHashMap<>();
  private final Map<String, NotifyMaintenanceObject> maintenances = new ConcurrentHashMap<>();
  private final Map<String, JobObject> jobs = new ConcurrentHashMap<>();
  private final Map<String, ObjectNode> pods = new ConcurrentHashMap<>();
  private final Set<String> jobsEver = new HashSet<>();

  /** Nodes that people have let back into service, with the maintenances that lost them so. */
  private final Set<String> returnedByPeople = new HashSet<>();

  private final Set<String> dispossessed = new HashSet<>();

  /** Nodes that were worked on for a maintenance that vanished; only people may return them. */
  private final Set<String> unproved = new HashSet<>();

  RandomWalkObserver(FaultPlan plan) {
    this.plan = plan;
  }

  @Override
  public void before(Call call) {
    boolean operator = call.user().equals(RandomWalkFixture.OPERATOR);
    if (operator && call.verb().equals("delete") && call.resource().equals("pods")) {
      wrong.add("I1: a pod was deleted past its budget: " + call.name());
    }
    plan.before(call); // during a delay others make calls as well
    answered.set(Optional.of(call));
  }

  @Override
  public void after(Call call, int code) {
    answered.remove();
    plan.after(call, code);
  }

  @Override
  public Lines lines(Call call, Lines lines) {
    return plan.lines(call, lines);
  }

  private boolean isOperator() {
    return answered
        .get()
        .filter(call -> call.user().equals(RandomWalkFixture.OPERATOR))
        .isPresent();
  }

  /**
   * Whether the operator made this change of a node. The cluster's own controllers may change nodes
   * while its call is answered: only the first change of the node that it asked to change is its.
   */
  private boolean isOperatorsChangeOf(String node) {
    boolean its =
        isOperator()
            && answered
                .get()
                .filter(call -> call.resource().equals("nodes") && call.name().equals(node))
                .isPresent();
    if (its) {
      answered.remove();
    }
    return its;
  }

  /** Told of every change, one at a time. */
  void see(ObjectChange event) {
    boolean gone = event.type() == ObjectChange.Type.DELETED;
    switch (text(event.object(), "kind")) {
      case "NotifyMaintenance" -> maintenance(event.previous(), event.object(), gone);
      case "Node" -> node(event.previous(), event.object(), gone);
      case "Job" -> {
        if (!event.key().namespace().equals(RandomWalkStrangers.TENANT)) {
          job(event.object(), event.previous() == null, gone);
        }
      }
      case "Pod" -> {
        if (gone) {
          pods.remove(event.key().name());
        } else {
          pods.put(event.key().name(), event.object());
        }
      }
      default -> {}
    }
  }

  private void maintenance(@Nullable ObjectNode before, ObjectNode after, boolean gone) {
    NotifyMaintenanceObject is = NotifyMaintenanceObject.read(after);
    if (before != null) {
      NotifyMaintenanceObject was = NotifyMaintenanceObject.read(before);
      moved(was, is);
      boolean begun = is.facts().state().hasBegun();
      boolean released = was.facts().finalizer() && (gone || !is.facts().finalizer());
      if (begun && released && isOperator()) {
        ended.add(is.facts().identity().name());
      } else if (gone && isWorkedOn(was) && !isProved(was.facts()) && !was.facts().isOver()) {
        unproved.add(is.facts().node());
      }
    }
    if (gone) {
      maintenances.remove(is.uid());
    } else {
      maintenances.put(is.uid(), is);
    }
  }

  private void moved(NotifyMaintenanceObject was, NotifyMaintenanceObject is) {
    MaintenanceState from = was.facts().state();
    MaintenanceState to = is.facts().state();
    if (from != to && !TRANSITIONS.getOrDefault(from, Set.of()).contains(to)) {
      wrong.add("%s went from %s to %s".formatted(is, from, to));
    }
    if (was.facts().slaExpires().isPresent()
        && !was.facts().slaExpires().equals(is.facts().slaExpires())) {
      wrong.add("I9: the deadline of %s moved".formatted(is));
    }
    if (is.status().path("history").size() < was.status().path("history").size()) {
      wrong.add("I9: %s forgot a part of its story".formatted(is));
    }
    Set<String> finals =
        Set.of(
            MaintenanceNames.COMPLETE,
            MaintenanceNames.INCOMPLETE,
            MaintenanceNames.VALIDATED,
            MaintenanceNames.FAILED);
    was.facts()
        .conditions()
        .forEach(
            (type, status) -> {
              if (finals.contains(status)
                  && !Objects.equals(is.facts().conditions().get(type), status)) {
                wrong.add("%s: the final word %s=%s was changed".formatted(is, type, status));
              }
            });
  }

  private void node(@Nullable ObjectNode before, ObjectNode after, boolean gone) {
    MaintenanceNodeObject is = MaintenanceNodeObject.read(after);
    String name = is.facts().name();
    if (gone) {
      nodes.remove(name);
      takenAway(name);
      return;
    }
    nodes.put(name, is);
    if (before == null) {
      return;
    }
    MaintenanceNodeObject was = MaintenanceNodeObject.read(before);
    boolean returned = was.facts().unschedulable() && !is.facts().unschedulable();
    if (!isOperatorsChangeOf(name)) {
      if (returned) {
        takenAway(name);
      }
      return;
    }
    Set<String> lost = new TreeSet<>(was.facts().labels());
    lost.removeAll(is.facts().labels());
    lost.forEach(label -> labelRemoved(was, label));
    Set<String> taints = taints(before);
    taints.removeAll(taints(after));
    taints.remove(CORDON_TAINT);
    if (!taints.isEmpty()) {
      wrong.add("I4: taints %s of node %s were removed".formatted(taints, name));
    }
    if (was.facts().unschedulable()) {
      Set<String> released = holders(was);
      released.removeAll(holders(is));
      released.removeIf(RandomWalkObserver::isOurs);
      if (!released.isEmpty()) {
        wrong.add("I4: holds of others were released on node %s: %s".formatted(name, released));
      }
    }
    if (returned) {
      returned(name);
    }
  }

  /** A person wins: what is known of the node from before counts no more. */
  private void takenAway(String node) {
    returnedByPeople.add(node);
    unproved.remove(node);
    maintenances.values().stream()
        .filter(each -> each.facts().node().equals(node))
        .forEach(each -> dispossessed.add(each.uid()));
  }

  /** Only of a maintenance whose node is back, or that was deleted before it began; or nobody's. */
  private void labelRemoved(MaintenanceNodeObject was, String label) {
    String node = was.facts().name();
    if (!label.startsWith(MaintenanceNames.LABEL_PREFIX)
        && !label.startsWith(MaintenanceNames.CORDONED_PREFIX)) {
      wrong.add("I4: label %s of node %s was removed".formatted(label, node));
    }
    for (NotifyMaintenanceObject each : maintenances.values()) {
      MaintenanceFacts facts = each.facts();
      boolean concerned = facts.node().equals(node) && facts.nodeLabel().equals(label);
      boolean ends =
          facts.state().hasBegun()
              ? !was.facts().unschedulable() || facts.condition("completed").isPresent()
              : facts.deleted();
      if (concerned && !facts.isOver() && !ends) {
        wrong.add(
            "I4: node %s lost the label of %s, which is %s".formatted(node, each, facts.state()));
      }
    }
  }

  /** By the operator. */
  private void returned(String node) {
    if (unproved.contains(node)) {
      wrong.add("I6: node %s was returned by us, and its maintenance vanished".formatted(node));
    }
    for (NotifyMaintenanceObject each : maintenances.values()) {
      MaintenanceFacts facts = each.facts();
      boolean concerned = facts.node().equals(node) && facts.state().hasBegun() && !facts.isOver();
      if (!concerned || dispossessed.contains(each.uid())) {
        continue;
      }
      if (facts.spec().maintenanceClass() == null) {
        wrong.add("I4: node %s was uncordoned under %s, %s".formatted(node, each, facts.state()));
      } else if (isWorkedOn(each) && !isProved(facts)) {
        wrong.add(
            "I6: node %s was returned by us, and %s, %s, not proved fit"
                .formatted(node, each, facts.state()));
      }
    }
  }

  private boolean isWorkedOn(NotifyMaintenanceObject maintenance) {
    return switch (maintenance.facts().state()) {
      case NONE, SCHEDULED, STARTED, SLA_EXPIRED, UNKNOWN -> false;
      case DRAINED ->
          jobs.values().stream().anyMatch(job -> job.owner().uid().equals(maintenance.uid()));
      case VALIDATING, INCOMPLETE -> true;
    };
  }

  static boolean isProved(MaintenanceFacts facts) {
    return facts
        .condition(MaintenanceNames.VALIDATION_CONDITION)
        .filter(MaintenanceNames.VALIDATED::equals)
        .isPresent();
  }

  private void job(ObjectNode object, boolean isNew, boolean gone) {
    JobObject job = JobObject.read(object);
    if (job == null) {
      return;
    }
    if (gone) {
      jobs.remove(job.name());
      return;
    }
    if (isNew) {
      started(job);
    }
    jobs.put(job.name(), job);
  }

  private void started(JobObject job) {
    if (!jobsEver.add(job.name())) {
      wrong.add("I9: Job %s was run again".formatted(job.name()));
    }
    for (JobObject other : jobs.values()) {
      if (other.node().equals(job.node()) && other.attempt().stage() == Attempt.Stage.RUNNING) {
        wrong.add(
            "I5: Job %s began on node %s, where %s runs"
                .formatted(job.name(), job.node(), other.name()));
      }
    }
    NotifyMaintenanceObject of = maintenances.get(job.owner().uid());
    MaintenanceState due =
        job.purpose() == Purpose.WORK ? MaintenanceState.DRAINED : MaintenanceState.VALIDATING;
    if (of == null || of.facts().state() != due) {
      wrong.add("I3: Job %s began too early or too late, for %s".formatted(job.name(), of));
      return;
    }
    List<String> left =
        pods.values().stream()
            .filter(pod -> text(pod.path("spec"), "nodeName").equals(job.node()))
            .filter(pod -> !text(pod.at("/metadata/ownerReferences/0"), "kind").equals("Job"))
            .map(pod -> text(pod.path("metadata"), "name"))
            .toList();
    // What people let in again by an uncordon nobody promised to drive out a second time.
    if (!left.isEmpty() && !returnedByPeople.contains(job.node())) {
      wrong.add("I3: Job %s began while %s ran on the node".formatted(job.name(), left));
    }
  }

  /** Whether the node is held, labelled and cordoned for a maintenance. */
  boolean isTakenOut(String node, String maintenance) {
    MaintenanceNodeObject at = nodes.get(node);
    NotifyMaintenanceObject of = maintenances.get(maintenance);
    return at != null
        && of != null
        && at.facts().unschedulable()
        && at.facts().labels().contains(of.facts().nodeLabel())
        && holders(at).contains(of.facts().holder());
  }

  static Set<String> holders(MaintenanceNodeObject node) {
    try {
      return new TreeSet<>(
          HoldsAnnotation.read(node.facts().name(), node.holds(), true).byHolder().keySet());
    } catch (HoldsUnreadable garbage) {
      return new TreeSet<>(); // as a person left it
    }
  }

  private static boolean isOurs(String holder) {
    return holder.startsWith(MaintenanceFacts.HOLDER_PREFIX)
        || holder.startsWith(DrainRequestFacts.HOLDER_PREFIX);
  }

  private static Set<String> taints(JsonNode node) {
    Set<String> keys = new TreeSet<>();
    node.path("spec").path("taints").forEach(taint -> keys.add(text(taint, "key")));
    return keys;
  }

  /** Of all that are there now, by name of the node. */
  Map<String, MaintenanceNodeObject> nodes() {
    return Map.copyOf(nodes);
  }

  List<NotifyMaintenanceObject> maintenances() {
    return List.copyOf(maintenances.values());
  }
}
