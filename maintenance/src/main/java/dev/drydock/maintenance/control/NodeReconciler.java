package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ResourceVersion;
import dev.drydock.kube.WakeUp;
import dev.drydock.maintenance.decide.AdvisoryConditions;
import dev.drydock.maintenance.decide.MaintenanceDecider;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.maintenance.decide.MaintenanceStep;
import dev.drydock.maintenance.decide.MaintenanceStep.Complete;
import dev.drydock.maintenance.decide.MaintenanceStep.Forget;
import dev.drydock.maintenance.decide.MaintenanceStep.Mark;
import dev.drydock.maintenance.decide.MaintenanceStep.Move;
import dev.drydock.maintenance.decide.NoticeEvent;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees the maintenances of one node through, on a thread of its own, until none is left: looks,
 * decides and acts on every change, one maintenance after the other, because they share the node's
 * labels and its deadline.
 */
final class NodeReconciler implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeReconciler.class);

  private static final Comparator<NotifyMaintenanceObject> OLDEST_FIRST =
      Comparator.comparing((NotifyMaintenanceObject seen) -> seen.facts().identity().created())
          .thenComparing(seen -> seen.facts().identity().toString());

  private final String node;
  private final MaintenanceCaches caches;
  private final ReconcileContext context;
  private final WakeUp bell = new WakeUp();
  private final Map<String, NotifyMaintenanceObject> written = new HashMap<>();
  private final Set<String> gone = new HashSet<>();
  private final NodeConditionReporter reporter;
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean closed;

  NodeReconciler(String node, MaintenanceCaches caches, ReconcileContext context) {
    this.node = node;
    this.caches = caches;
    this.context = context;
    reporter = new NodeConditionReporter(context.nodes());
  }

  /**
   * Something may have changed.
   *
   * @param retire asked, when nothing is left here, whether this may end
   */
  void wake(Predicate<String> retire) {
    bell.ring();
    if (started.compareAndSet(false, true)) {
      Thread.ofVirtual().name("maintenances of " + node).start(() -> run(retire));
    }
  }

  private void run(Predicate<String> retire) {
    int failures = 0;
    try {
      while (!closed) {
        Duration wait;
        try {
          wait = pass();
          failures = 0;
          if (caches.maintenances(node).isEmpty() && retire.test(node)) {
            return;
          }
        } catch (ApiFailure later) {
          wait = context.backoff().after(++failures);
          LOG.warn("maintenances of node {}: {}; tried again", node, later.getMessage());
        }
        bell.await(wait);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      if (!closed) {
        LOG.error("maintenances of node {} are served no longer", node, bug);
      }
    }
  }

  /** How long to wait if nothing happens. */
  private Duration pass() {
    Instant now = context.clock().instant();
    Instant next = now.plus(context.settings().syncPeriod());
    if (!caches.isKnown()) {
      return Duration.between(now, next);
    }
    Optional<ApiFailure> failed = Optional.empty();
    for (NotifyMaintenanceObject each : all()) {
      try {
        Optional<Instant> wake = see(each);
        next = wake.filter(next::isAfter).orElse(next);
      } catch (ApiFailure failure) {
        if (isAboutItself(failure, each)) {
          gone.add(each.uid()); // the watch will say so as well
        } else {
          failed = Optional.of(failure); // the others' turn does not depend on it
        }
      }
    }
    tellNode();
    if (failed.isPresent()) {
      throw failed.get();
    }
    return Duration.between(now, next);
  }

  /** Not found may be the node, or the kind of object that a class drains by. */
  private boolean isAboutItself(ApiFailure failure, NotifyMaintenanceObject maintenance) {
    return failure.code() == HttpURLConnection.HTTP_NOT_FOUND
        && !context.writer().exists(maintenance);
  }

  /** The newest we know: the cache lags behind our own writes. */
  private List<NotifyMaintenanceObject> all() {
    List<NotifyMaintenanceObject> cached = caches.maintenances(node);
    Map<String, NotifyMaintenanceObject> newest = new HashMap<>();
    for (NotifyMaintenanceObject each : cached) {
      NotifyMaintenanceObject ours = written.get(each.uid());
      boolean isOlder = ours != null && ResourceVersion.isNewer(ours.version(), each.version());
      newest.put(each.uid(), isOlder ? ours : each);
    }
    written.keySet().retainAll(newest.keySet());
    gone.retainAll(newest.keySet());
    return newest.values().stream()
        .filter(each -> !gone.contains(each.uid()))
        .sorted(OLDEST_FIRST)
        .toList();
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
        seen = next.after().get();
        written.put(seen.uid(), seen);
      } catch (HoldsUnreadable mess) {
        explain(seen, String.valueOf(mess.getMessage()));
        return Optional.empty(); // mending it changes the node, which wakes us
      } catch (ApiFailure failure) {
        if (!failure.passing()) {
          explain(seen, failure.getMessage());
        }
        throw failure;
      }
    }
    return Optional.empty();
  }

  private void explain(NotifyMaintenanceObject seen, String why) {
    if (!seen.facts().deleted() && !why.equals(text(seen.status(), "waitingFor"))) {
      NotifyMaintenanceObject after = context.writer().waits(seen, why);
      written.put(seen.uid(), after);
      context.events().tellWait(seen, after);
    }
  }

  /** The maintenance after a step; or empty, and when to look again. */
  private record Next(Optional<NotifyMaintenanceObject> after, Optional<Instant> until) {}

  private Next step(NotifyMaintenanceObject seen) {
    MaintenanceStep step = MaintenanceDecider.decide(input(seen, caches.node(node), others(seen)));
    if (step instanceof MaintenanceStep.Wait(Optional<Instant> until, String _)) {
      ClassAutomation.Served served = serve(seen);
      served.after().ifPresent(after -> context.events().tellWait(seen, after));
      return new Next(
          served.after(),
          Stream.concat(until.stream(), served.until().stream()).min(Instant::compareTo));
    }
    return new Next(act(seen, step), Optional.empty());
  }

  /** A maintenance without a class is moved by others alone. */
  private ClassAutomation.Served serve(NotifyMaintenanceObject seen) {
    boolean ours =
        seen.facts().spec().maintenanceClass() != null && context.classCaches().isKnown();
    return ours ? context.clients().serve(seen, caches.node(node)) : ClassAutomation.Served.WAITS;
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
        seen.facts(),
        at.map(MaintenanceNodeObject::facts),
        others,
        rules(seen),
        context.clock().instant());
  }

  /** A class may have its own time. */
  private MaintenanceInput.Rules rules(NotifyMaintenanceObject seen) {
    MaintenanceInput.Rules usual = context.settings().rules();
    return context
        .classCaches()
        .maintenanceClass(seen)
        .flatMap(MaintenanceClassObject::slaPeriod)
        .map(own -> new MaintenanceInput.Rules(own, usual.recordon()))
        .orElse(usual);
  }

  /** The maintenance afterwards; empty if it is gone, or only a change brings more to do. */
  private Optional<NotifyMaintenanceObject> act(
      NotifyMaintenanceObject seen, MaintenanceStep step) {
    return switch (step) {
      case MaintenanceStep.Wait _ -> Optional.empty();
      case MaintenanceStep.Adopt() -> Optional.of(context.writer().adopt(seen));
      case Move move -> isStillOut(seen, move) ? Optional.of(move(seen, move)) : Optional.empty();
      case MaintenanceStep.Remark(List<Mark> marks) -> Optional.of(remark(seen, marks));
      case MaintenanceStep.Terminate(NoticeEvent notice) -> {
        context.notices().keep(seen, notice, false);
        NotifyMaintenanceObject after = context.writer().terminate(seen);
        tell(seen, MaintenanceEvent.valueOf(notice.word()), "deleted; " + waitsForNode());
        yield Optional.of(after);
      }
      case MaintenanceStep.Recordon() -> {
        context.nodes().cordon(caches.node(node).orElseThrow());
        tell(seen, MaintenanceEvent.CordonedAgain, "somebody uncordoned node " + node);
        yield Optional.empty();
      }
      case Complete _, Forget _ -> end(seen);
    };
  }

  private String waitsForNode() {
    return "waits until node " + node + " is uncordoned";
  }

  /**
   * Who cordons a node that others hold leaves no trace, and it would be back as soon as they let
   * go. So one without a class is written down among them when it begins, if it is not too late.
   */
  private boolean isStillOut(NotifyMaintenanceObject seen, Move move) {
    boolean begins = move.to() == MaintenanceState.STARTED;
    boolean heldByOthers = caches.node(node).flatMap(MaintenanceNodeObject::holds).isPresent();
    if (!begins || !heldByOthers || seen.facts().spec().maintenanceClass() != null) {
      return true;
    }
    Hold hold = ClassAutomation.hold(seen.facts(), context.clock().instant());
    return context.holds().join(node, hold).unschedulable();
  }

  private NotifyMaintenanceObject move(NotifyMaintenanceObject seen, Move move) {
    context.notices().keep(seen, move.notice(), false);
    String message = TransitionMessages.of(seen.facts(), move);
    NotifyMaintenanceObject after = context.writer().move(seen, move, message);
    context.events().tellEntries(seen, after);
    LOG.info("NotifyMaintenance {}: {}: {}", seen, move.to().text(), message);
    context.watcher().left(seen, context.clock().instant());
    switch (move.to()) {
      case STARTED -> tell(seen, MaintenanceEvent.MaintenanceStarted, message);
      case SLA_EXPIRED -> tell(seen, MaintenanceEvent.SLAExpired, message);
      case DRAINED -> tell(seen, MaintenanceEvent.ObjectsDrained, message);
      case VALIDATING -> tell(seen, MaintenanceEvent.Validating, message);
      case INCOMPLETE -> tell(seen, MaintenanceEvent.MaintenanceIncomplete, message);
      case NONE, SCHEDULED, UNKNOWN -> {
        // Whoever created it need not be told that it is there.
      }
    }
    return after;
  }

  private NotifyMaintenanceObject remark(NotifyMaintenanceObject seen, List<Mark> marks) {
    NotifyMaintenanceObject after = context.writer().mark(seen, marks);
    context.events().tellEntries(seen, after);
    for (Mark mark : marks) {
      if (!mark.message().isEmpty()) {
        tell(seen, MaintenanceEvent.valueOf(mark.reason()), mark.message());
      }
    }
    return after;
  }

  /** What cannot be taken back is decided again on what is there now, past all caches. */
  private Optional<NotifyMaintenanceObject> end(NotifyMaintenanceObject seen) {
    Optional<MaintenanceNodeObject> now = context.nodes().read(node);
    String label = seen.facts().nodeLabel();
    boolean otherLabels =
        now.filter(there -> !there.facts().maintenanceLabels().equals(Set.of(label))).isPresent();
    // A label without a maintenance goes; the cache may not know yet whose it is.
    List<MaintenanceFacts> others = otherLabels ? caches.readOthers(seen) : others(seen);
    return switch (MaintenanceDecider.decide(input(seen, now, others))) {
      case Complete complete -> {
        LOG.info("NotifyMaintenance {}: node {} is back", seen, node);
        yield complete(seen, now, complete);
      }
      case Forget(Set<String> labels) -> {
        removeLabels(now, labels);
        releaseHold(now, seen);
        gone.add(context.writer().removeFinalizer(seen).uid());
        yield Optional.empty();
      }
      default -> Optional.empty();
    };
  }

  private Optional<NotifyMaintenanceObject> complete(
      NotifyMaintenanceObject first, Optional<MaintenanceNodeObject> now, Complete complete) {
    NotifyMaintenanceObject seen = first;
    boolean stays = !seen.facts().deleted();
    if (stays && seen.facts().condition(AdvisoryConditions.COMPLETED).isEmpty()) {
      seen = context.writer().complete(first, completed(complete));
      context.events().tellEntries(first, seen);
      if (complete.midway()) {
        // Now: a conflict below is followed by another try, which no longer sees it as midway.
        tell(
            seen,
            MaintenanceEvent.UncordonedMidway,
            "node %s was uncordoned in state %s".formatted(node, seen.facts().state().text()));
      }
    }
    removeLabels(now, complete.nodeLabels());
    releaseHold(now, seen);
    context.notices().keep(seen, NoticeEvent.MAINTENANCE_COMPLETE, complete.cancelled());
    tell(seen, MaintenanceEvent.MaintenanceComplete, "node " + node + " is back");
    NotifyMaintenanceObject after = context.writer().removeFinalizer(seen);
    context.watcher().completed(seen, context.clock().instant());
    if (!stays) {
      gone.add(after.uid());
      return Optional.empty();
    }
    return Optional.of(after);
  }

  private Mark completed(Complete complete) {
    return new Mark(
        AdvisoryConditions.COMPLETED,
        MaintenanceNames.TRUE,
        complete.midway() ? "UncordonedMidway" : "Uncordoned",
        "node " + node + " is schedulable again");
  }

  /** What is left of it would keep the node out for one that is gone. */
  private void releaseHold(Optional<MaintenanceNodeObject> now, NotifyMaintenanceObject seen) {
    String holder = ClassAutomation.holder(seen.facts());
    try {
      if (now.filter(there -> there.isHeldBy(holder)).isPresent()) {
        var _ = context.holds().release(node, holder);
      }
    } catch (HoldsUnreadable mess) {
      // Whoever mends it has all holds looked at, also those that lost their owners.
      LOG.warn("NotifyMaintenance {}: {}", seen, mess.getMessage());
    }
  }

  private void removeLabels(Optional<MaintenanceNodeObject> now, Set<String> labels) {
    if (!labels.isEmpty()) {
      now.ifPresent(there -> context.nodes().removeLabels(there, labels));
    }
  }

  private void tell(NotifyMaintenanceObject seen, MaintenanceEvent event, String note) {
    context.events().tell(seen, event, note);
  }

  private void tellNode() {
    List<MaintenanceFacts> facts = all().stream().map(NotifyMaintenanceObject::facts).toList();
    caches.node(node).ifPresent(at -> reporter.tell(at, facts));
  }

  @Override
  public void close() {
    closed = true;
    bell.ring();
  }
}
