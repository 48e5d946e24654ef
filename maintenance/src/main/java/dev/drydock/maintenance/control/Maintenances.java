package dev.drydock.maintenance.control;

import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import dev.drydock.drain.kube.NodeHolds;
import dev.drydock.kube.CallHook;
import dev.drydock.kube.EventRecorder;
import dev.drydock.kube.KubeHttp;
import dev.drydock.maintenance.decide.MaintenanceScene;
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
public final class Maintenances implements AutoCloseable {
  private static final int PAGE_SIZE = 500;

  private final KubeHttp http;
  private final Cluster cluster;
  private final ClassCluster classes;
  private final Tools tools;
  private final Map<String, NodeLane> lanes = new ConcurrentHashMap<>();
  private volatile Runnable changed = () -> {};
  private volatile boolean closed;

  /**
   * How maintenances are served.
   *
   * @param syncPeriod how often everything is looked at again though nothing seems to have changed
   */
  public record Settings(MaintenanceScene.Rules rules, Duration syncPeriod) {}

  /** Told how maintenances get on, for figures. Called on any thread, and must not block. */
  public interface Watcher {
    Watcher NONE =
        new Watcher() {
          @Override
          public void left(MaintenanceSeen before, Instant now) {}

          @Override
          public void completed(MaintenanceSeen before, Instant now) {}
        };

    /** It has left the state that it was in. */
    void left(MaintenanceSeen before, Instant now);

    /** Its node is back. */
    void completed(MaintenanceSeen before, Instant now);
  }

  /**
   * What surrounds it.
   *
   * @param holds by which nodes of classes are kept out of service
   * @param gate asked before a class's clients begin anything
   */
  public record Surroundings(
      Clock clock, CallHook hook, NodeHolds holds, Gate gate, Notices notices, Watcher watcher) {
    public static Surroundings usual(NodeHolds holds) {
      return new Surroundings(
          Clock.systemUTC(), CallHook.NONE, holds, Gate.OPEN, Notices.NONE, Watcher.NONE);
    }
  }

  /** The client should not be used by others that make many requests. */
  public Maintenances(KubernetesClient client, Settings settings, Surroundings around) {
    http = new KubeHttp(client, around.hook(), PAGE_SIZE);
    Clock clock = around.clock();
    classes = new ClassCluster(http, this::seen);
    MaintenanceWriter writer = new MaintenanceWriter(http, clock, seen -> Deeds.of(seen, classes));
    tools =
        new Tools(
            clock,
            settings,
            writer,
            new NodeWriter(http, clock),
            around.holds(),
            new Teller(new EventRecorder(http, clock)),
            around.notices(),
            around.watcher(),
            classes,
            new ClassClients(http, writer, around.holds(), classes, clock, around.gate()));
    cluster = new Cluster(http, this::seen, () -> seen(""));
  }

  public void start() {
    classes.start();
    cluster.start();
  }

  /** Whether everything was seen at least once. */
  public boolean isKnown() {
    return cluster.isKnown() && classes.isKnown();
  }

  /** All that are known now. */
  public List<MaintenanceSeen> all() {
    return cluster.all();
  }

  public List<FleetNode> nodes() {
    return cluster.allNodes().stream().map(NodeSeen::fleet).toList();
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
    NodeLane lane =
        lanes.computeIfAbsent(
            node,
            name ->
                cluster.maintenances(name).isEmpty() ? null : new NodeLane(name, cluster, tools));
    if (lane != null) {
      lane.wake(this::retire);
    }
  }

  /** Whether a lane may end: nothing is left for it, and who comes later finds none. */
  private boolean retire(String node) {
    return lanes.computeIfPresent(
            node, (name, lane) -> cluster.maintenances(name).isEmpty() ? null : lane)
        == null;
  }

  private void wakeAll() {
    Set<String> nodes = new HashSet<>(lanes.keySet());
    cluster.all().forEach(each -> nodes.add(each.facts().node()));
    nodes.forEach(this::wake);
  }

  /** Ends where it is, without a further write; whoever starts next goes on. */
  @Override
  public void close() {
    closed = true;
    classes.close();
    cluster.close();
    lanes.values().forEach(NodeLane::close);
    http.close();
  }
}
