package dev.drydock.sim.control.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.Controller;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.PodQueries;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.StatusConditions;
import dev.drydock.sim.control.StatusConditions.Condition;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.store.Store;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Binds pods to nodes: highest priority first, each to the fitting node with the most free
 * resources. An unschedulable pod is tried again when nodes change in its favour.
 */
public final class Scheduler implements Controller {
  private static final ObjectKey ALL = new ObjectKey("", "all");
  private static final List<String> TOPOLOGY =
      List.of("topology.kubernetes.io/region", "topology.kubernetes.io/zone");
  private static final Map<String, Integer> SYSTEM_CLASSES =
      Map.of("system-cluster-critical", 2_000_000_000, "system-node-critical", 2_000_001_000);

  private record Waiting(int priority, long sequence, ObjectKey key) {
    static final Comparator<Waiting> ORDER =
        Comparator.comparingInt(Waiting::priority).reversed().thenComparingLong(Waiting::sequence);
  }

  private final ControllerClient client;
  private final WorkQueue queue;
  private final NodeSlots nodes = new NodeSlots();
  private final Map<ObjectKey, Waiting> waiting = new HashMap<>();
  private final TreeSet<Waiting> untried = new TreeSet<>(Waiting.ORDER);
  private final TreeSet<Waiting> tried = new TreeSet<>(Waiting.ORDER);

  /** Nodes that may fit pods that they did not fit before. */
  private final TreeSet<String> eased = new TreeSet<>();

  private long sequence;

  public Scheduler(ControllerClient client, WorkQueue queue, Store store) {
    this.client = client;
    this.queue = queue;
    store.index(this::note);
  }

  /** How many nodes were examined for pods. */
  public long checks() {
    return nodes.checks();
  }

  /** Updated at once, because the next pod of the same round depends on it. */
  private void note(ObjectChange event) {
    if (event.resource().equals(Resources.NODES)) {
      boolean gone = event.type() == ObjectChange.Type.DELETED;
      nodes.observe(event.key().name(), gone ? null : event.object());
      return;
    }
    if (!event.resource().equals(Resources.PODS)) {
      return;
    }
    ObjectNode previous = event.previous();
    String before = previous == null ? "" : occupied(previous);
    String now = event.type() == ObjectChange.Type.DELETED ? "" : occupied(event.object());
    if (!before.equals(now)) {
      Map<String, Long> requests = MilliQuantities.requests(event.object().path("spec"));
      if (!before.isEmpty()) {
        nodes.giveBack(before, requests);
        eased.add(before);
      }
      if (!now.isEmpty()) {
        nodes.take(now, requests);
      }
    }
  }

  /** The node whose resources a pod uses. */
  private static String occupied(ObjectNode pod) {
    return PodQueries.isFinished(pod) ? "" : PodQueries.node(pod);
  }

  @Override
  public void changed(ObjectChange event) {
    if (event.resource().equals(Resources.NODES)) {
      if (event.type() != ObjectChange.Type.DELETED && mayEase(event)) {
        eased.add(event.key().name());
      }
    } else if (event.resource().equals(Resources.PODS)) {
      observe(event);
    } else {
      return;
    }
    if (!untried.isEmpty() || (!eased.isEmpty() && !tried.isEmpty())) {
      queue.soon(this, ALL);
    } else if (tried.isEmpty()) {
      eased.clear();
    }
  }

  private static boolean mayEase(ObjectChange event) {
    return event.changes("spec")
        || event.changes("metadata", "labels")
        || event.changes("status", "allocatable");
  }

  private void observe(ObjectChange event) {
    boolean waits = event.type() != ObjectChange.Type.DELETED && isMine(event.object());
    Waiting known = waiting.get(event.key());
    if (waits && known == null) {
      Waiting added = new Waiting(priority(event.object()), sequence++, event.key());
      waiting.put(event.key(), added);
      untried.add(added);
    } else if (waits && isChanged(event)) {
      tried.remove(known);
      untried.add(known);
    } else if (!waits && known != null) {
      drop(known);
    }
  }

  private static boolean isChanged(ObjectChange event) {
    ObjectNode before = event.previous();
    return before == null || !before.path("spec").equals(event.object().path("spec"));
  }

  private static boolean isMine(ObjectNode pod) {
    return PodQueries.node(pod).isEmpty()
        && PodQueries.isActive(pod)
        && JsonTrees.text(pod, "spec", "schedulerName").equals("default-scheduler")
        && JsonTrees.at(pod, "spec", "schedulingGates").isEmpty();
  }

  private int priority(ObjectNode pod) {
    JsonNode resolved = JsonTrees.at(pod, "spec", "priority");
    String name = JsonTrees.text(pod, "spec", "priorityClassName");
    if (resolved.isNumber() || name.isEmpty()) {
      return resolved.asInt();
    }
    ObjectNode known = client.get(Resources.PRIORITY_CLASSES, new ObjectKey("", name));
    return known == null ? SYSTEM_CLASSES.getOrDefault(name, 0) : known.path("value").asInt();
  }

  private void drop(Waiting known) {
    waiting.remove(known.key());
    untried.remove(known);
    tried.remove(known);
  }

  @Override
  public void look(ObjectKey key) {
    TreeSet<Waiting> round = new TreeSet<>(untried);
    List<String> again = List.copyOf(eased);
    eased.clear();
    if (!again.isEmpty()) {
      round.addAll(tried);
    }
    for (Waiting next : round) {
      ObjectNode pod = client.get(Resources.PODS, next.key());
      if (pod == null || !isMine(pod)) {
        drop(next);
        continue;
      }
      PodShape shape = PodShape.of(pod.path("spec"));
      boolean first = untried.remove(next);
      NodeSlot slot = first ? nodes.find(shape) : findAmong(again, shape);
      if (slot != null) {
        drop(next);
        bind(next.key(), slot.name());
      } else {
        tried.add(next);
        if (first) {
          refuse(next.key(), pod, nodes.whyNone(shape));
        }
      }
    }
  }

  private @Nullable NodeSlot findAmong(List<String> names, PodShape shape) {
    return names.stream()
        .map(nodes::slot)
        .filter(slot -> nodes.takes(slot, shape))
        .min(NodeSlot.ORDER)
        .orElse(null);
  }

  private void bind(ObjectKey key, String node) {
    client.edit(
        Resources.PODS,
        key,
        pod -> {
          ObjectNode spec = ControllerClient.shallow(pod.path("spec"));
          pod.set("spec", spec.put("nodeName", node));
          takeTopology(pod, node);
          setScheduled(pod, Condition.yes("PodScheduled", "", ""));
        });
  }

  /** A binding copies the node's topology labels to the pod. */
  private void takeTopology(ObjectNode pod, String node) {
    ObjectNode found = client.get(Resources.NODES, new ObjectKey("", node));
    ObjectNode labels = ControllerClient.shallow(JsonTrees.at(pod, "metadata", "labels"));
    for (String label : TOPOLOGY) {
      String value = found == null ? "" : JsonTrees.text(found, "metadata", "labels", label);
      if (!value.isEmpty()) {
        labels.put(label, value);
      }
    }
    if (!labels.isEmpty()) {
      JsonTrees.metadata(pod).set("labels", labels);
    }
  }

  private void refuse(ObjectKey key, ObjectNode pod, String why) {
    if (ObjectFacts.isDeleted(pod)) {
      return;
    }
    Condition refusal = Condition.no("PodScheduled", "Unschedulable", why);
    client.edit(Resources.PODS, key, draft -> setScheduled(draft, refusal));
  }

  private void setScheduled(ObjectNode pod, Condition condition) {
    pod.set("status", StatusConditions.statusWith(pod, condition, client.now()));
  }
}
