package dev.drydock.maintenance.control;

import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.kube.ControlLoops;
import dev.drydock.kube.Kube;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import dev.drydock.serve.feature.HoldOwner;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Serves NotifyMaintenances: watches them and the nodes, and moves each as labels, cordons,
 * annotations and time demand. What it knows it reads from the cluster, so a process that takes
 * over continues where the last one stopped. Run one instance per cluster.
 */
public final class MaintenanceController implements AutoCloseable {
  /** The name of the control loops, one for each node. */
  public static final String LOOP = "maintenance";

  /** Maintenances hold their nodes. */
  public static final HoldOwner HOLD_OWNER =
      new HoldOwner(MaintenanceFacts.HOLDER_PREFIX, NotifyMaintenanceObject.RESOURCE, "nodeObject")
          .judging(NotifyMaintenanceObject::unfit);

  private final MaintenanceCaches caches;
  private final ClassCaches classes;
  private final ClassStatusController classStatus;
  private final ControlLoops<String> nodes;
  private volatile Runnable changed = () -> {};

  /** Gets the progress of maintenances, for metrics. Called on any thread, and must not block. */
  public interface Watcher {
    Watcher NONE =
        new Watcher() {
          @Override
          public void left(NotifyMaintenanceObject before, NotifyMaintenanceObject after) {}

          @Override
          public void deleted(NotifyMaintenanceObject seen) {}

          @Override
          public void completed(NotifyMaintenanceObject before, Instant now) {}
        };

    /** It has left the state that it was in for another one. */
    void left(NotifyMaintenanceObject before, NotifyMaintenanceObject after);

    /** It was deleted, and only waits for its node. */
    void deleted(NotifyMaintenanceObject seen);

    /** Its node is back. */
    void completed(NotifyMaintenanceObject before, Instant now);
  }

  /**
   * Its dependencies.
   *
   * @param engine keeps nodes of classes out of service, and says whether they are empty
   * @param permission asked before a class's clients begin anything
   */
  public record Dependencies(
      DrainEngine engine, DeparturePermission permission, NoticeSink notices, Watcher watcher) {
    NodeHolds holds() {
      return engine.holds();
    }
  }

  public MaintenanceController(Kube kube, MaintenanceInput.Rules rules, Dependencies around) {
    this(kube, rules, true, around);
  }

  /**
   * @param jobLogs whether the end of a failed Job's log is copied into the status
   */
  public MaintenanceController(
      Kube kube, MaintenanceInput.Rules rules, boolean jobLogs, Dependencies around) {
    caches = new MaintenanceCaches(kube, this::seen);
    classes = new ClassCaches(kube, this::seen);
    classStatus = new ClassStatusController(kube);
    MaintenanceWriter writer =
        new MaintenanceWriter(kube, seen -> HistoryEntries.of(seen, classes));
    NodeWriter nodeWriter = new NodeWriter(kube);
    ReconcileContext context =
        new ReconcileContext(
            kube,
            rules,
            around,
            caches,
            classes,
            writer,
            nodeWriter,
            new MaintenanceEvents(kube.events()),
            new ClassAutomation(kube, writer, nodeWriter, classes, caches, around, jobLogs));
    nodes = kube.loops(LOOP, node -> new NodeReconciler(node, context));
  }

  public void start() {
    classes.start();
    caches.start();
    classStatus.start();
  }

  /** Whether everything was seen at least once. */
  public boolean isKnown() {
    return caches.isKnown() && classes.isKnown();
  }

  /** All that are known now. */
  public List<NotifyMaintenanceObject> all() {
    return caches.all();
  }

  /** Those that are there but cannot be read, by namespace and name. */
  public Set<String> unreadable() {
    return caches.unreadable();
  }

  public List<FleetNode> nodes() {
    return caches.allNodes().stream().map(MaintenanceNodeObject::fleet).toList();
  }

  public Map<String, MaintenanceClassSpec> classes() {
    Map<String, MaintenanceClassSpec> byName = new HashMap<>();
    classes.classes().forEach(each -> byName.put(each.name(), each.spec()));
    return byName;
  }

  /** Has something run whenever what is known may have changed; to be said before the start. */
  public void onChange(Runnable look) {
    changed = look;
  }

  /**
   * Something that no watch shows may have changed.
   *
   * @param node empty for all nodes
   */
  public void resync(String node) {
    wake(node);
  }

  private void seen(String node) {
    changed.run();
    wake(node);
  }

  /** A node without maintenances needs no loop. */
  private void wake(String node) {
    if (node.isEmpty()) {
      Set<String> all = new HashSet<>(nodes.keys());
      caches.all().forEach(each -> all.add(each.facts().node()));
      all.forEach(nodes::wake);
    } else if (nodes.serves(node) || !caches.maintenances(node).isEmpty()) {
      nodes.wake(node);
    }
  }

  /** Stops without a further write; the next process continues. */
  @Override
  public void close() {
    nodes.close();
    classStatus.close();
    classes.close();
    caches.close();
  }
}
