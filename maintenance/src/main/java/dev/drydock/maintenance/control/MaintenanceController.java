package dev.drydock.maintenance.control;

import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.HoldOwner;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.RequestInterceptor;
import dev.drydock.kube.Resource;
import dev.drydock.maintenance.decide.MaintenanceInput;
import dev.drydock.maintenance.decide.campaign.FleetNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Serves NotifyMaintenances: watches them and the nodes, and moves each as labels, cordons,
 * annotations and time demand. What it knows it reads from the cluster, so a process that takes
 * over goes on where the last one stopped. One process of a cluster should at a time.
 */
public final class MaintenanceController implements AutoCloseable {
  /** Maintenances hold their nodes. */
  public static final HoldOwner HOLD_OWNER =
      new HoldOwner(
          Hold.MAINTENANCE_PREFIX,
          Resource.namespaced(
              NotifyMaintenance.GROUP,
              NotifyMaintenance.VERSION,
              NotifyMaintenance.PLURAL,
              "NotifyMaintenance"),
          "nodeObject");

  private static final int PAGE_SIZE = 500;

  private final KubeHttp http;
  private final MaintenanceCaches caches;
  private final ClassCaches classes;
  private final ReconcileContext context;
  private final Map<String, NodeReconciler> reconcilers = new ConcurrentHashMap<>();
  private volatile Runnable changed = () -> {};
  private volatile boolean closed;

  /**
   * How maintenances are served.
   *
   * @param syncPeriod how often everything is looked at again though nothing seems to have changed
   */
  public record Settings(MaintenanceInput.Rules rules, Duration syncPeriod) {}

  /** Told how maintenances get on, for figures. Called on any thread, and must not block. */
  public interface Watcher {
    Watcher NONE =
        new Watcher() {
          @Override
          public void left(NotifyMaintenanceObject before, Instant now) {}

          @Override
          public void completed(NotifyMaintenanceObject before, Instant now) {}
        };

    /** It has left the state that it was in. */
    void left(NotifyMaintenanceObject before, Instant now);

    /** Its node is back. */
    void completed(NotifyMaintenanceObject before, Instant now);
  }

  /**
   * What surrounds it.
   *
   * @param holds by which nodes of classes are kept out of service
   * @param permission asked before a class's clients begin anything
   */
  public record Dependencies(
      Clock clock,
      RequestInterceptor hook,
      NodeHolds holds,
      DeparturePermission permission,
      NoticeSink notices,
      Watcher watcher) {
    public static Dependencies usual(NodeHolds holds) {
      return new Dependencies(
          Clock.systemUTC(),
          RequestInterceptor.NONE,
          holds,
          DeparturePermission.OPEN,
          NoticeSink.NONE,
          Watcher.NONE);
    }
  }

  /** The client should not be used by others that make many requests. */
  public MaintenanceController(KubernetesClient client, Settings settings, Dependencies around) {
    http = new KubeHttp(client, around.hook(), PAGE_SIZE);
    Clock clock = around.clock();
    classes = new ClassCaches(http, this::seen);
    MaintenanceWriter writer =
        new MaintenanceWriter(http, clock, seen -> HistoryEntries.of(seen, classes));
    context =
        new ReconcileContext(
            clock,
            settings,
            writer,
            new NodeWriter(http, clock),
            around.holds(),
            new MaintenanceEvents(new EventRecorder(http, clock)),
            around.notices(),
            around.watcher(),
            classes,
            new ClassAutomation(http, writer, around.holds(), classes, clock, around.permission()));
    caches = new MaintenanceCaches(http, this::seen, () -> seen(""));
  }

  public void start() {
    classes.start();
    caches.start();
  }

  /** Whether everything was seen at least once. */
  public boolean isKnown() {
    return caches.isKnown() && classes.isKnown();
  }

  /** All that are known now. */
  public List<NotifyMaintenanceObject> all() {
    return caches.all();
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
  public void lookAgain(String node) {
    wake(node);
  }

  private void seen(String node) {
    changed.run();
    wake(node);
  }

  private void wake(String node) {
    if (closed) {
      return;
    }
    if (node.isEmpty()) {
      wakeAll();
      return;
    }
    NodeReconciler reconciler =
        reconcilers.computeIfAbsent(
            node,
            name ->
                caches.maintenances(name).isEmpty()
                    ? null
                    : new NodeReconciler(name, caches, context));
    if (reconciler != null) {
      reconciler.wake(this::retire);
    }
  }

  /** Whether a reconciler may end: nothing is left for it, and who comes later finds none. */
  private boolean retire(String node) {
    return reconcilers.computeIfPresent(
            node, (name, reconciler) -> caches.maintenances(name).isEmpty() ? null : reconciler)
        == null;
  }

  private void wakeAll() {
    Set<String> nodes = new HashSet<>(reconcilers.keySet());
    caches.all().forEach(each -> nodes.add(each.facts().node()));
    nodes.forEach(this::wake);
  }

  /** Ends where it is, without a further write; whoever starts next goes on. */
  @Override
  public void close() {
    closed = true;
    classes.close();
    caches.close();
    reconcilers.values().forEach(NodeReconciler::close);
    http.close();
  }
}
