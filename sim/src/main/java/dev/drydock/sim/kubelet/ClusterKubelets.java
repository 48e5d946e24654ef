package dev.drydock.sim.kubelet;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.ClusterIndex;
import dev.drydock.sim.control.Controller;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.NodeStep.Beat;
import dev.drydock.sim.kubelet.NodeStep.BeginReboot;
import dev.drydock.sim.kubelet.NodeStep.FinishReboot;
import dev.drydock.sim.kubelet.NodeStep.Reboot;
import dev.drydock.sim.kubelet.NodeStep.Recover;
import dev.drydock.sim.kubelet.NodeStep.Silence;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.NodeStatusBuilder;
import io.fabric8.kubernetes.api.model.ObjectReference;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The kubelets of all nodes of a simulated cluster, with the same decisions and knobs as {@link
 * SimulatedKubelets}. They need no heartbeats: controllers ask whether a kubelet is alive.
 */
public final class ClusterKubelets implements Controller {
  private final ControllerClient client;
  private final WorkQueue queue;
  private final ClusterIndex index;
  private final KubeletKnobs defaults;
  private final PodWork podWork;

  /** Rebooting nodes, with the precise time. */
  private final Map<ObjectKey, NodeView> rebooting = new HashMap<>();

  public ClusterKubelets(
      ControllerClient client, WorkQueue queue, ClusterIndex index, KubeletKnobs defaults) {
    this.client = client;
    this.queue = queue;
    this.index = index;
    this.defaults = defaults;
    this.podWork = new PodWork(client, queue, this);
  }

  /** The part that runs pods. */
  public Controller pods() {
    return podWork;
  }

  /** Whether the kubelet of this node is alive. */
  public boolean isBeating(ObjectNode node) {
    Instant now = client.clock().instant();
    return NodeDecision.decide(view(node), defaults, now).state() == Host.State.UP;
  }

  NodeView view(ObjectNode node) {
    NodeView previous = rebooting.get(ObjectFacts.key(node));
    return StoredViews.node(node, previous, client.clock().instant());
  }

  @Nullable ObjectNode node(String name) {
    return client.get(Resources.NODES, new ObjectKey("", name));
  }

  @Override
  public void changed(ObjectChange event) {
    if (!event.resource().equals(Resources.NODES)) {
      return;
    }
    if (event.type() == ObjectChange.Type.DELETED) {
      rebooting.remove(event.key());
      queue.notLater(this, event.key());
      return;
    }
    queue.soon(this, event.key());
    if (event.previous() == null || isNewToPods(event.previous(), event.object())) {
      for (ObjectNode pod : index.podsOn(event.key().name())) {
        queue.soon(podWork, ObjectFacts.key(pod));
      }
    }
  }

  /** Most changes of a node, such as a cordon, do not affect its running pods. */
  private boolean isNewToPods(ObjectNode before, ObjectNode now) {
    Instant time = client.clock().instant();
    NodeView old = StoredViews.node(before, null, time);
    NodeView young = StoredViews.node(now, null, time);
    return !old.reading().equals(young.reading())
        || !old.conditions().equals(young.conditions())
        || !NodeDecision.host(old, defaults, time).equals(NodeDecision.host(young, defaults, time));
  }

  @Override
  public void look(ObjectKey key) {
    ObjectNode node = client.get(Resources.NODES, key);
    if (node == null) {
      return;
    }
    if (JsonTrees.text(node, "status", "nodeInfo", "bootID").isEmpty()) {
      introduce(node);
      return;
    }
    NodeView view = view(node);
    warn(KnobWarnings.aboutNode(key.name()), view.reading().problems());
    Instant now = client.clock().instant();
    switch (NodeDecision.decide(view, defaults, now)) {
      case Silence _, Beat _ -> rebooting.remove(key);
      case Reboot reboot -> {
        rebooting.put(key, view);
        queue.at(this, key, reboot.until());
      }
      case BeginReboot _ -> report(node, NodeObjects.rebootBegun(now));
      case FinishReboot boot -> {
        rebooting.remove(key);
        report(node, NodeObjects.rebootFinished(view, boot.bootId(), now));
      }
      case Recover _ -> reportWell(node);
    }
  }

  /** Creates nodes of one kind and returns their names: the prefix and 1, 2, 3... */
  public List<String> register(int count, String prefix, NodeTemplate template) {
    List<String> names =
        IntStream.rangeClosed(1, count).mapToObj(number -> prefix + number).toList();
    for (String name : names) {
      Instant now = client.clock().instant();
      NodeStatus status =
          NodeObjects.introduction(
              name, template, NodeIntroduction.VERSION, podWork.nodeAddresses().next());
      status.setConditions(NodeObjects.well(Map.of(), now));
      client.create(Resources.NODES, StatusMerge.tree(NodeObjects.node(name, template, status)));
    }
    return names;
  }

  void reportWell(ObjectNode node) {
    Instant now = client.clock().instant();
    report(
        node,
        new NodeStatusBuilder()
            .addAllToConditions(NodeObjects.well(view(node).conditions(), now))
            .build());
  }

  /** A manually created node gets a simulated kubelet too. */
  private void introduce(ObjectNode node) {
    client.setStatus(
        Resources.NODES,
        ObjectFacts.key(node),
        NodeIntroduction.status(node, podWork.nodeAddresses(), client.clock().instant()));
  }

  private void report(ObjectNode node, NodeStatus report) {
    client.setStatus(
        Resources.NODES, ObjectFacts.key(node), StatusMerge.merge(node.path("status"), report));
  }

  /** The effective knobs of a pod, and the state of its node. */
  record Surroundings(Host host, KubeletKnobs knobs) {}

  @Nullable Surroundings around(PodView pod) {
    ObjectNode node = node(pod.program().node());
    if (node == null) {
      return null;
    }
    NodeView view = view(node);
    Host host = NodeDecision.host(view, defaults, client.clock().instant());
    KubeletKnobs knobs = pod.reading().knobs().orElse(view.reading().knobs()).orElse(defaults);
    return new Surroundings(host, knobs.drawnFor(pod.identity().uid()));
  }

  /** Reports malformed knobs, each once. */
  void warn(ObjectReference about, List<String> problems) {
    Instant now = client.clock().instant();
    for (String problem : problems) {
      ObjectNode event = StatusMerge.tree(KnobWarnings.event(about, problem, now));
      if (client.get(Resources.EVENTS, ObjectFacts.key(event)) == null) {
        client.create(Resources.EVENTS, event);
      }
    }
  }
}
