package dev.drydock.maintenance.control;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Latest;
import dev.drydock.kube.StepObjects;
import dev.drydock.maintenance.decide.ClientAnnotation;
import dev.drydock.maintenance.decide.CompletionKind;
import dev.drydock.maintenance.decide.MaintenanceDecider;
import dev.drydock.maintenance.decide.MaintenanceEvent;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.maintenance.decide.MaintenanceStep;
import dev.drydock.maintenance.decide.MaintenanceStep.Complete;
import dev.drydock.maintenance.decide.MaintenanceStep.ConditionChange;
import dev.drydock.maintenance.decide.MaintenanceStep.Forget;
import dev.drydock.maintenance.decide.MaintenanceStep.Move;
import dev.drydock.maintenance.decide.MaintenanceStep.Wait;
import dev.drydock.maintenance.decide.MaintenanceStep.WriteConditions;
import dev.drydock.maintenance.decide.NoticeEvent;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles the maintenances of one node, one after another, because they share its labels and
 * deadline.
 */
final class NodeReconciler implements ControlLoops.Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(NodeReconciler.class);

  private static final Comparator<NotifyMaintenanceObject> OLDEST_FIRST =
      Comparator.comparing((NotifyMaintenanceObject seen) -> seen.facts().identity().created())
          .thenComparing(seen -> seen.facts().identity().toString());

  private final String node;
  private final ReconcileContext context;
  private final Latest<NotifyMaintenanceObject> latest = new Latest<>();
  private final Latest<MaintenanceNodeObject> latestNode = new Latest<>();
  private final StepObjects turns;
  private final MaintenanceCompletion completion;

  /** Those that are served, by UID; only what was seen before can be missed. */
  private final Map<String, NotifyMaintenanceObject> known = new HashMap<>();

  private volatile boolean closed;

  NodeReconciler(String node, ReconcileContext context) {
    this.node = node;
    this.context = context;
    turns = context.kube().stepObjects(MaintenanceController.LOOP);
    completion = new MaintenanceCompletion(node, context);
  }

  @Override
  public Optional<Instant> step() {
    if (!context.caches().isKnown()) {
      return Optional.of(Instant.MAX);
    }
    List<NotifyMaintenanceObject> all = all();
    List<Instant> wakeUps = new ArrayList<>(List.of(Instant.MAX));
    for (NotifyMaintenanceObject each : all) {
      var _ = turns.run(each.toString(), () -> serve(each).ifPresent(wakeUps::add));
    }
    var _ = turns.run("of node " + node, this::missVanished);
    var _ = turns.run("of node " + node, this::disownHolds);
    var _ = turns.run("of node " + node, this::recordNodeConditions);
    Instant next = turns.done(Collections.min(wakeUps));
    return context.caches().maintenances(node).isEmpty() ? Optional.empty() : Optional.of(next);
  }

  private Instant now() {
    return context.kube().clock().instant();
  }

  private List<NotifyMaintenanceObject> all() {
    return latest.of(context.caches().maintenances(node)).stream().sorted(OLDEST_FIRST).toList();
  }

  private Optional<MaintenanceNodeObject> node() {
    return context.caches().node(node).map(latestNode::of);
  }

  /** When to look again, if time alone brings something. */
  private Optional<Instant> serve(NotifyMaintenanceObject maintenance) {
    try {
      return see(maintenance);
    } catch (ApiFailure failure) {
      // Not found may be the node, or the kind of object that a class drains by.
      boolean gone =
          failure.code() == HttpURLConnection.HTTP_NOT_FOUND
              && !context.writer().exists(maintenance);
      if (!gone) {
        throw failure;
      }
      latest.gone(maintenance);
      return Optional.empty();
    }
  }

  /** Goes as far as it can; when to look again, if time alone brings something. */
  private Optional<Instant> see(NotifyMaintenanceObject first) {
    NotifyMaintenanceObject seen = first;
    while (!closed) {
      try {
        Next next = step(seen);
        if (next.after().isEmpty()) {
          return next.until();
        }
        seen = latest.wrote(next.after().get());
      } catch (HoldsUnreadable unreadable) {
        explain(seen, String.valueOf(unreadable.getMessage()));
        return Optional.empty(); // mending it changes the node, which wakes us
      } catch (ApiFailure failure) {
        if (!failure.isRetriable()) {
          explain(seen, failure.getMessage());
        }
        throw failure;
      }
    }
    return Optional.empty();
  }

  private void explain(NotifyMaintenanceObject seen, String why) {
    if (!seen.facts().deleted() && !why.equals(seen.waitingFor())) {
      var _ = latest.wrote(sayWait(seen, why));
    }
  }

  private NotifyMaintenanceObject sayWait(NotifyMaintenanceObject seen, String why) {
    NotifyMaintenanceObject after = context.writer().waits(seen, why);
    context.events().recordWait(seen, after);
    return after;
  }

  /** The maintenance after a step; or empty, and when to look again. */
  private record Next(Optional<NotifyMaintenanceObject> after, Optional<Instant> until) {}

  private Next step(NotifyMaintenanceObject seen) {
    MaintenanceStep step = MaintenanceDecider.decide(input(seen, node(), others(seen)));
    if (!(step instanceof Wait(Optional<Instant> until, String waitingFor))) {
      return new Next(act(seen, step), Optional.empty());
    }
    if (seen.facts().spec().maintenanceClass() == null) {
      return new Next(waits(seen, waitingFor), until);
    }
    ClassAutomation.Served served = automate(seen);
    return new Next(
        served.after().or(() -> waits(seen, served.waitingFor())),
        Stream.concat(until.stream(), served.until().stream()).min(Instant::compareTo));
  }

  /** Usually the last transition has said it already. */
  private Optional<NotifyMaintenanceObject> waits(NotifyMaintenanceObject seen, String waitingFor) {
    boolean news =
        !waitingFor.isEmpty() && !seen.facts().deleted() && !waitingFor.equals(seen.waitingFor());
    // If the CRD could not be checked at the start, it may be another controller's, which drops the
    // text: then it is not written again and again.
    return news
        ? Optional.of(sayWait(seen, waitingFor))
            .filter(after -> waitingFor.equals(after.waitingFor()))
        : Optional.empty();
  }

  /** A maintenance without a class is moved by others alone. */
  private ClassAutomation.Served automate(NotifyMaintenanceObject seen) {
    if (!context.classes().isKnown()) {
      return ClassAutomation.Served.WAITS;
    }
    ClassAutomation.Served served = context.automation().serve(seen, node(), others(seen));
    served.after().ifPresent(after -> context.events().recordWait(seen, after));
    return served;
  }

  private List<MaintenanceFacts> others(NotifyMaintenanceObject than) {
    return all().stream()
        .filter(other -> !other.uid().equals(than.uid()))
        .map(NotifyMaintenanceObject::facts)
        .toList();
  }

  private MaintenanceInput input(
      NotifyMaintenanceObject seen,
      Optional<MaintenanceNodeObject> at,
      List<MaintenanceFacts> others) {
    return new MaintenanceInput(
        believed(seen, at), at.map(MaintenanceNodeObject::facts), others, rules(seen), now());
  }

  /** The steps of a class pass by what is seen, not by what somebody annotated. */
  private MaintenanceFacts believed(
      NotifyMaintenanceObject seen, Optional<MaintenanceNodeObject> at) {
    boolean claims =
        seen.facts().spec().maintenanceClass() != null
            && ClientAnnotation.claimed(seen.facts()).isPresent();
    return claims ? context.automation().believed(seen, at, others(seen)) : seen.facts();
  }

  /** A class may have its own time. */
  private MaintenanceInput.Rules rules(NotifyMaintenanceObject seen) {
    MaintenanceInput.Rules usual = context.rules();
    return context
        .classes()
        .maintenanceClass(seen)
        .flatMap(MaintenanceClassObject::slaPeriod)
        .map(own -> new MaintenanceInput.Rules(own, usual.recordon()))
        .orElse(usual);
  }

  /** The maintenance afterwards; empty if it is gone, or only a change brings more to do. */
  private Optional<NotifyMaintenanceObject> act(
      NotifyMaintenanceObject seen, MaintenanceStep step) {
    return switch (step) {
      case Wait _ -> Optional.empty();
      case MaintenanceStep.Adopt() -> Optional.of(context.writer().adopt(seen));
      case MaintenanceStep.Restore() -> Optional.of(restore(seen));
      case MaintenanceStep.Settle() -> Optional.of(completion.settle(seen));
      case Move move -> isStillOut(seen, move) ? Optional.of(move(seen, move)) : Optional.empty();
      case WriteConditions write -> Optional.of(writeConditions(seen, write));
      case MaintenanceStep.Terminate(NoticeEvent notice) -> {
        context.around().notices().keep(seen, notice, CompletionKind.ORDINARY);
        NotifyMaintenanceObject after = context.writer().terminate(seen);
        context.around().watcher().deleted(seen);
        MaintenanceEvent event =
            notice == NoticeEvent.MAINTENANCE_CANCELLED
                ? MaintenanceEvent.MaintenanceCancelled
                : MaintenanceEvent.MaintenanceEnded;
        record(seen, event, "deleted; " + waitsForNode());
        yield Optional.of(after);
      }
      case MaintenanceStep.Recordon() -> {
        context.nodes().cordon(node().orElseThrow());
        record(seen, MaintenanceEvent.CordonedAgain, "node " + node + " was uncordoned");
        yield Optional.empty();
      }
      case Complete _, Forget _ -> end(seen);
    };
  }

  private NotifyMaintenanceObject restore(NotifyMaintenanceObject seen) {
    String what = "somebody removed the finalizer; it was put back, and the maintenance goes on";
    context.around().notices().keep(seen, NoticeEvent.FINALIZER_RESTORED, CompletionKind.ORDINARY);
    NotifyMaintenanceObject adopted = context.writer().adopt(seen);
    LOG.warn("NotifyMaintenance {}: {}", seen, what);
    record(adopted, MaintenanceEvent.FinalizerRestored, what);
    return context.writer().note(adopted, MaintenanceEvent.FinalizerRestored.name(), what);
  }

  private String waitsForNode() {
    return "waits until node " + node + " is uncordoned";
  }

  /**
   * A cordon on a node that is already held is not visible, and the node would return when the
   * others release it. So a maintenance without a class adds its own hold when it starts.
   */
  private boolean isStillOut(NotifyMaintenanceObject seen, Move move) {
    boolean begins = move.to() == MaintenanceState.STARTED;
    boolean heldByOthers = node().flatMap(MaintenanceNodeObject::holds).isPresent();
    if (!begins || !heldByOthers || seen.facts().spec().maintenanceClass() != null) {
      return true;
    }
    Hold hold = ClassAutomation.hold(seen.facts(), now());
    return context.around().holds().join(node, hold).unschedulable();
  }

  private NotifyMaintenanceObject move(NotifyMaintenanceObject seen, Move move) {
    context.around().notices().keep(seen, move.notice(), CompletionKind.ORDINARY);
    String message = move.message();
    NotifyMaintenanceObject after = context.writer().move(seen, move);
    context.events().recordEntries(seen, after);
    LOG.info("NotifyMaintenance {}: {}: {}", seen, move.to().text(), message);
    context.around().watcher().left(seen, after);
    switch (move.to()) {
      case STARTED -> record(seen, MaintenanceEvent.MaintenanceStarted, message);
      case SLA_EXPIRED -> record(seen, MaintenanceEvent.SLAExpired, message);
      case DRAINED -> record(seen, MaintenanceEvent.ObjectsDrained, message);
      case VALIDATING -> record(seen, MaintenanceEvent.Validating, message);
      case INCOMPLETE -> record(seen, MaintenanceEvent.MaintenanceIncomplete, message);
      case NONE, SCHEDULED, UNKNOWN -> {
        // Its creator does not need an Event for it.
      }
    }
    return after;
  }

  private NotifyMaintenanceObject writeConditions(
      NotifyMaintenanceObject seen, WriteConditions write) {
    NotifyMaintenanceObject after = context.writer().writeConditions(seen, write);
    context.events().recordEntries(seen, after);
    for (ConditionChange condition : write.conditions()) {
      condition.event().ifPresent(event -> record(seen, event, condition.message()));
    }
    return after;
  }

  /** Decides again on fresh reads, because the completion cannot be undone. */
  private Optional<NotifyMaintenanceObject> end(NotifyMaintenanceObject seen) {
    Optional<MaintenanceNodeObject> now = context.nodes().read(node);
    String label = seen.facts().nodeLabel();
    boolean otherLabels =
        now.filter(there -> !there.facts().maintenanceLabels().equals(Set.of(label))).isPresent();
    // A label without a maintenance is removed, and the cache may not have its maintenance yet.
    List<MaintenanceFacts> others = otherLabels ? context.caches().readOthers(seen) : others(seen);
    return switch (MaintenanceDecider.decide(input(seen, now, others))) {
      case Complete complete -> {
        LOG.info("NotifyMaintenance {}: node {} is back", seen, node);
        NotifyMaintenanceObject after = completion.complete(seen, now, complete);
        if (MaintenanceCompletion.stays(seen)) {
          yield Optional.of(after);
        }
        latest.gone(after);
        known.remove(after.uid());
        yield Optional.empty();
      }
      case Forget(Set<String> labels) -> {
        latest.gone(completion.forget(seen, now, labels));
        yield Optional.empty();
      }
      default -> Optional.empty();
    };
  }

  private void record(NotifyMaintenanceObject seen, MaintenanceEvent event, String note) {
    context.events().record(seen, event, note);
  }

  /** Tells of maintenances that are gone though they were not over. */
  private void missVanished() {
    Set<String> there = new HashSet<>();
    all().forEach(each -> there.add(each.uid()));
    List<NotifyMaintenanceObject> gone =
        known.values().stream().filter(each -> !there.contains(each.uid())).toList();
    known.keySet().retainAll(there);
    all().forEach(each -> known.put(each.uid(), each));
    for (NotifyMaintenanceObject each : gone) {
      boolean stillOut =
          node().filter(at -> at.facts().unschedulable()).isPresent()
              && each.facts().state().hasBegun()
              && !each.facts().isOver();
      if (stillOut && !context.writer().exists(each)) {
        String what = "it is gone, and node %s stays out of service until somebody uncordons it";
        LOG.warn("NotifyMaintenance {}: {}", each, what.formatted(node));
        context
            .around()
            .notices()
            .keep(each, NoticeEvent.MAINTENANCE_VANISHED, CompletionKind.ORDINARY);
        record(each, MaintenanceEvent.MaintenanceVanished, what.formatted(node));
      }
    }
  }

  /** Only a maintenance can say that its node is fit. If it is gone, a person has to. */
  private void disownHolds() {
    try {
      for (Hold hold : node().map(MaintenanceNodeObject::maintenanceHolds).orElse(List.of())) {
        boolean served = all().stream().anyMatch(each -> hold.mayBeOf(each.uid()));
        if (!served && context.writer().isOrphan(hold, node)) {
          var _ = context.around().holds().disown(node, hold);
        }
      }
    } catch (HoldsUnreadable unreadable) {
      LOG.debug("node {}: {}", node, unreadable.getMessage()); // whoever mends it wakes us
    }
  }

  /** One that cannot be read may well need what the conditions say. */
  private void recordNodeConditions() {
    Optional<MaintenanceNodeObject> at = node();
    if (at.isPresent() && !context.caches().hasUnreadable(node)) {
      List<MaintenanceFacts> facts = all().stream().map(NotifyMaintenanceObject::facts).toList();
      var _ = latestNode.wrote(context.nodes().record(at.get(), facts));
    }
  }

  @Override
  public void close() {
    closed = true;
    turns.close();
  }
}
