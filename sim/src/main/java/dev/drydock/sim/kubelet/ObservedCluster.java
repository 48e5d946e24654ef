package dev.drydock.sim.kubelet;

import dev.drydock.kube.time.TimeSource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectReference;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The observed state of the cluster, and which nodes are simulated here. Never blocks. */
final class ObservedCluster {
  /**
   * If the watch does not deliver a write's result, the object is processed again after this time.
   */
  static final Duration RECHECK = Duration.ofMinutes(1);

  private static final Logger log = LoggerFactory.getLogger(ObservedCluster.class);

  // In total below the 100 concurrent requests that an API server accepts per connection. Nodes
  // have their own, larger share, so that many pods on a slow machine cannot delay heartbeats.
  private static final int POD_TURNS = 20;
  private static final int NODE_TURNS = 60;

  private final TimeSource time;
  private final ApiWrites api;
  private final KubeletKnobs defaults;
  private final Serial.Turns podTurns;
  private final Serial.Turns nodeTurns;
  private final Map<String, SimulatedNode> simulated = new ConcurrentHashMap<>();
  // All nodes and all bound pods, because a node may be simulated at any time.
  private final Map<String, NodeView> nodes = new ConcurrentHashMap<>();
  private final Map<String, SimulatedPod> pods = new ConcurrentHashMap<>();
  private final Addresses nodeAddresses = Addresses.ofNodes();
  private final Addresses podAddresses = Addresses.ofPods();

  ObservedCluster(TimeSource time, ApiWrites api, KubeletKnobs defaults) {
    this.time = time;
    this.api = api;
    this.defaults = defaults;
    this.podTurns = Serial.Turns.of(POD_TURNS, api::reportFailure);
    this.nodeTurns = Serial.Turns.of(NODE_TURNS, api::reportFailure);
  }

  TimeSource time() {
    return time;
  }

  ApiWrites api() {
    return api;
  }

  Serial.Turns podTurns() {
    return podTurns;
  }

  Serial.Turns nodeTurns() {
    return nodeTurns;
  }

  KubeletKnobs defaults() {
    return defaults;
  }

  String newNodeAddress() {
    return nodeAddresses.next();
  }

  String newPodAddress() {
    return podAddresses.next();
  }

  @Nullable SimulatedNode node(String name) {
    return simulated.get(name);
  }

  @Nullable NodeView observedNode(String name) {
    return nodes.get(name);
  }

  /** From now on this Node has a kubelet here. */
  void simulate(String name, String uid) {
    SimulatedNode node = new SimulatedNode(name, uid, this);
    SimulatedNode before = simulated.put(name, node);
    if (before != null) {
      before.stop();
    }
    node.kick();
    kickPodsOf(name);
  }

  /** Waits until running steps have ended; no others start. */
  void stop() {
    api.close();
    simulated.values().forEach(SimulatedNode::stop);
    pods.values().forEach(SimulatedPod::stop);
    nodeTurns.free().acquireUninterruptibly(NODE_TURNS);
    podTurns.free().acquireUninterruptibly(POD_TURNS);
    // Steps that still wait for their turn find that they are stopped.
    nodeTurns.free().release(NODE_TURNS);
    podTurns.free().release(POD_TURNS);
  }

  void observe(Node node) {
    String name = node.getMetadata().getName();
    NodeView before = nodes.get(name);
    if (before != null && !before.identity().uid().equals(node.getMetadata().getUid())) {
      before = null;
    }
    NodeView now = NodeView.of(node, before, time.now());
    nodes.put(name, now);
    nodeAddresses.used(now.address());
    SimulatedNode kubelet = simulated.get(name);
    if (kubelet == null) {
      return;
    }
    kubelet.kick();
    if (before == null || changesPods(before, now)) {
      kickPodsOf(name);
    }
  }

  private boolean changesPods(NodeView before, NodeView after) {
    return !NodeDecision.host(before, defaults, time.now())
            .equals(NodeDecision.host(after, defaults, time.now()))
        || !before.reading().knobs().equals(after.reading().knobs());
  }

  void nodeGone(ObjectMeta node) {
    nodes.remove(node.getName());
    SimulatedNode kubelet = simulated.get(node.getName());
    if (kubelet != null && kubelet.uid().equals(node.getUid())) {
      forget(node.getName(), kubelet);
    }
  }

  /** Its pods are left to the control plane's garbage collection. */
  private void forget(String name, SimulatedNode kubelet) {
    kubelet.stop();
    simulated.remove(name, kubelet);
  }

  void observe(Pod pod) {
    podAddresses.used(pod.getStatus() == null ? null : pod.getStatus().getPodIP());
    String key = key(pod.getMetadata());
    SimulatedPod known = pods.get(key);
    if (known != null && known.view().identity().uid().equals(pod.getMetadata().getUid())) {
      known.observe(PodView.of(pod, known.view(), time.now()));
      return;
    }
    if (known != null) {
      known.stop();
    }
    SimulatedPod fresh = new SimulatedPod(this, PodView.of(pod, null, time.now()));
    pods.put(key, fresh);
    fresh.kick();
  }

  void podGone(ObjectMeta pod) {
    SimulatedPod gone = pods.remove(key(pod));
    if (gone != null) {
      gone.stop();
    }
  }

  private void kickPodsOf(String node) {
    for (SimulatedPod pod : pods.values()) {
      if (pod.view().program().node().equals(node)) {
        pod.kick();
      }
    }
  }

  /** Reports the problems of an object that are new, and returns all current ones. */
  List<String> report(ObjectReference about, List<String> problems, List<String> reported)
      throws IOException {
    for (String problem : problems) {
      if (!reported.contains(problem)) {
        log.warn("{} {}: {}", about.getKind(), about.getName(), problem);
        api.warn(about, problem, time.now());
      }
    }
    return problems;
  }

  private static String key(ObjectMeta metadata) {
    return metadata.getNamespace() + "/" + metadata.getName();
  }
}
