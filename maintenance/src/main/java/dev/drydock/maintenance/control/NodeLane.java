package dev.drydock.maintenance.control;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Bell;
import dev.drydock.kube.ResourceVersion;
import dev.drydock.maintenance.decide.MaintenanceDecider;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.MaintenanceScene;
import dev.drydock.maintenance.decide.MaintenanceStep;
import dev.drydock.maintenance.decide.MaintenanceStep.Complete;
import dev.drydock.maintenance.decide.MaintenanceStep.Forget;
import dev.drydock.maintenance.decide.MaintenanceStep.Mark;
import dev.drydock.maintenance.decide.MaintenanceStep.Move;
import dev.drydock.maintenance.decide.NodeStanding;
import dev.drydock.maintenance.decide.NoticeEvent;
import dev.drydock.maintenance.decide.Remarks;
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
final class NodeLane implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeLane.class);

  private static final Comparator<MaintenanceSeen> OLDEST_FIRST =
      Comparator.comparing((MaintenanceSeen seen) -> seen.facts().identity().created())
          .thenComparing(seen -> seen.facts().identity().toString());

  private final String node;
  private final Cluster cluster;
  private final Tools tools;
  private final Bell bell = new Bell();
  private final Map<String, MaintenanceSeen> written = new HashMap<>();
  private final Set<String> gone = new HashSet<>();
  private Optional<Told> told = Optional.empty();
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean closed;

  /** The conditions that were written to the node, and the version of it they were based on. */
  private record Told(Map<NodeStanding.Type, NodeStanding.Standing> standing, String version) {}

  NodeLane(String node, Cluster cluster, Tools tools) {
    this.node = node;
    this.cluster = cluster;
    this.tools = tools;
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
          if (cluster.maintenances(node).isEmpty() && retire.test(node)) {
            return;
          }
        } catch (ApiFailure later) {
          wait = tools.backoff().after(++failures);
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
    Instant now = tools.clock().instant();
    Instant next = now.plus(tools.settings().syncPeriod());
    if (!cluster.isKnown()) {
      return Duration.between(now, next);
    }
    for (MaintenanceSeen each : all()) {
      try {
        Optional<Instant> wake = see(each);
        next = wake.filter(next::isAfter).orElse(next);
      } catch (ApiFailure failure) {
        if (failure.code() != HttpURLConnection.HTTP_NOT_FOUND) {
          throw failure;
        }
        gone.add(each.uid()); // the watch will say so as well
      }
    }
    tellNode();
    return Duration.between(now, next);
  }

  /** The newest we know: the cache lags behind our own writes. */
  private List<MaintenanceSeen> all() {
    List<MaintenanceSeen> cached = cluster.maintenances(node);
    Map<String, MaintenanceSeen> newest = new HashMap<>();
    for (MaintenanceSeen each : cached) {
      MaintenanceSeen ours = written.get(each.uid());
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
  private Optional<Instant> see(MaintenanceSeen first) {
    MaintenanceSeen seen = first;
    while (!closed) {
      MaintenanceScene scene = scene(seen, cluster.node(node), others(seen));
      MaintenanceStep step = MaintenanceDecider.decide(scene);
      Optional<MaintenanceSeen> after;
      if (step instanceof MaintenanceStep.Wait(Optional<Instant> until, String _)) {
        ClassClients.Served served = serve(seen);
        after = served.after();
        if (after.isEmpty()) {
          return Stream.concat(until.stream(), served.until().stream()).min(Instant::compareTo);
        }
      } else {
        after = act(seen, step);
        if (after.isEmpty()) {
          return Optional.empty();
        }
      }
      seen = after.get();
      written.put(seen.uid(), seen);
    }
    return Optional.empty();
  }

  /** A maintenance without a class is moved by others alone. */
  private ClassClients.Served serve(MaintenanceSeen seen) {
    boolean ours = seen.facts().spec().maintenanceClass() != null && tools.classCluster().isKnown();
    return ours ? tools.clients().serve(seen, cluster.node(node)) : ClassClients.Served.WAITS;
  }

  private List<MaintenanceFacts> others(MaintenanceSeen than) {
    return all().stream()
        .filter(other -> !other.uid().equals(than.uid()))
        .map(MaintenanceSeen::facts)
        .toList();
  }

  private MaintenanceScene scene(
      MaintenanceSeen seen, Optional<NodeSeen> at, List<MaintenanceFacts> others) {
    return new MaintenanceScene(
        seen.facts(), at.map(NodeSeen::facts), others, rules(seen), tools.clock().instant());
  }

  /** A class may have its own time. */
  private MaintenanceScene.Rules rules(MaintenanceSeen seen) {
    MaintenanceScene.Rules usual = tools.settings().rules();
    return tools
        .classCluster()
        .clazz(seen)
        .flatMap(ClassSeen::slaPeriod)
        .map(own -> new MaintenanceScene.Rules(own, usual.recordon()))
        .orElse(usual);
  }

  /** The maintenance afterwards; empty if it is gone, or only a change brings more to do. */
  private Optional<MaintenanceSeen> act(MaintenanceSeen seen, MaintenanceStep step) {
    return switch (step) {
      case MaintenanceStep.Wait _ -> Optional.empty();
      case MaintenanceStep.Adopt() -> Optional.of(tools.writer().adopt(seen));
      case Move move -> Optional.of(move(seen, move));
      case MaintenanceStep.Remark(List<Mark> marks) -> Optional.of(remark(seen, marks));
      case MaintenanceStep.Terminate(NoticeEvent notice) -> {
        tools.notices().keep(seen, notice, false);
        MaintenanceSeen after = tools.writer().terminate(seen);
        tell(seen, MaintenanceEvent.valueOf(notice.word()), "deleted; " + waitsForNode());
        yield Optional.of(after);
      }
      case MaintenanceStep.Recordon() -> {
        tools.nodes().cordon(cluster.node(node).orElseThrow());
        tell(seen, MaintenanceEvent.CordonedAgain, "somebody uncordoned node " + node);
        yield Optional.empty();
      }
      case Complete _, Forget _ -> end(seen);
    };
  }

  private String waitsForNode() {
    return "waits until node " + node + " is uncordoned";
  }

  private MaintenanceSeen move(MaintenanceSeen seen, Move move) {
    tools.notices().keep(seen, move.notice(), false);
    String message = Story.of(seen.facts(), move);
    MaintenanceSeen after = tools.writer().move(seen, move, message);
    LOG.info("NotifyMaintenance {}: {}: {}", seen, move.to().text(), message);
    tools.watcher().left(seen, tools.clock().instant());
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

  private MaintenanceSeen remark(MaintenanceSeen seen, List<Mark> marks) {
    MaintenanceSeen after = tools.writer().mark(seen, marks);
    for (Mark mark : marks) {
      if (!mark.message().isEmpty()) {
        tell(seen, MaintenanceEvent.valueOf(mark.reason()), mark.message());
      }
    }
    return after;
  }

  /** What cannot be taken back is decided again on what is there now, past all caches. */
  private Optional<MaintenanceSeen> end(MaintenanceSeen seen) {
    Optional<NodeSeen> now = tools.nodes().read(node);
    String label = seen.facts().nodeLabel();
    boolean otherLabels =
        now.filter(there -> !there.facts().maintenanceLabels().equals(Set.of(label))).isPresent();
    // A label without a maintenance goes; the cache may not know yet whose it is.
    List<MaintenanceFacts> others = otherLabels ? cluster.readOthers(seen) : others(seen);
    return switch (MaintenanceDecider.decide(scene(seen, now, others))) {
      case Complete complete -> {
        LOG.info("NotifyMaintenance {}: node {} is back", seen, node);
        yield complete(seen, now, complete);
      }
      case Forget(Set<String> labels) -> {
        removeLabels(now, labels);
        gone.add(tools.writer().removeFinalizer(seen).uid());
        yield Optional.empty();
      }
      default -> Optional.empty();
    };
  }

  private Optional<MaintenanceSeen> complete(
      MaintenanceSeen first, Optional<NodeSeen> now, Complete complete) {
    MaintenanceSeen seen = first;
    boolean stays = !seen.facts().deleted();
    if (stays && seen.facts().condition(Remarks.COMPLETED).isEmpty()) {
      seen = tools.writer().complete(seen, completed(complete));
      if (complete.midway()) {
        // Now: a conflict below is followed by another try, which no longer sees it as midway.
        tell(
            seen,
            MaintenanceEvent.UncordonedMidway,
            "node %s was uncordoned in state %s".formatted(node, seen.facts().state().text()));
      }
    }
    removeLabels(now, complete.nodeLabels());
    tools.notices().keep(seen, NoticeEvent.MAINTENANCE_COMPLETE, complete.cancelled());
    tell(seen, MaintenanceEvent.MaintenanceComplete, "node " + node + " is back");
    MaintenanceSeen after = tools.writer().removeFinalizer(seen);
    tools.watcher().completed(seen, tools.clock().instant());
    if (!stays) {
      gone.add(after.uid());
      return Optional.empty();
    }
    return Optional.of(after);
  }

  private Mark completed(Complete complete) {
    return new Mark(
        Remarks.COMPLETED,
        MaintenanceNames.TRUE,
        complete.midway() ? "UncordonedMidway" : "Uncordoned",
        "node " + node + " is schedulable again");
  }

  private void removeLabels(Optional<NodeSeen> now, Set<String> labels) {
    if (!labels.isEmpty()) {
      now.ifPresent(there -> tools.nodes().removeLabels(there, labels));
    }
  }

  private void tell(MaintenanceSeen seen, MaintenanceEvent event, String note) {
    tools.events().tell(seen.regarding(), event.occurrence(), note);
  }

  private void tellNode() {
    Optional<NodeSeen> at = cluster.node(node);
    if (at.isEmpty()) {
      return;
    }
    List<MaintenanceFacts> facts = all().stream().map(MaintenanceSeen::facts).toList();
    Told now = new Told(NodeStanding.of(facts), at.get().version());
    boolean isOldNews =
        told.filter(
                last -> values(last).equals(values(now)) && last.version().equals(now.version()))
            .isPresent();
    if (!isOldNews) {
      tools.nodes().tell(at.get(), now.standing());
      told = Optional.of(now);
    }
  }

  private static Map<NodeStanding.Type, Boolean> values(Told told) {
    Map<NodeStanding.Type, Boolean> values = new HashMap<>();
    told.standing().forEach((type, standing) -> values.put(type, standing.value()));
    return values;
  }

  @Override
  public void close() {
    closed = true;
    bell.ring();
  }
}
