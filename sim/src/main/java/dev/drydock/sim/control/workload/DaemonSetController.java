package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.control.ClusterIndex;
import dev.drydock.sim.control.Controller;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.ObjectRefs;
import dev.drydock.sim.control.PodQueries;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.WorkQueue;
import dev.drydock.sim.control.workload.DaemonPods.Verdict;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Runs one pod of a DaemonSet on each eligible node. After a change of one node or pod it only
 * processes that node.
 */
public final class DaemonSetController extends Workloads {
  /** Processes one node for a DaemonSet. */
  private record OnNode(DaemonSetController controller, String node) implements Controller {
    @Override
    public void changed(ObjectChange event) {}

    @Override
    public void look(ObjectKey key) {
      controller.lookAt(key, node);
    }
  }

  private final Set<String> nodes = new TreeSet<>();
  private final Map<ObjectKey, Map<String, Set<ObjectKey>>> placed = new HashMap<>();
  private final Map<ObjectKey, Map<String, DaemonTally>> tallies = new TreeMap<>();
  private final Map<ObjectKey, DaemonTally.Sum> sums = new HashMap<>();

  public DaemonSetController(ControllerClient client, WorkQueue queue, ClusterIndex index) {
    super(client, queue, index, Resources.DAEMON_SETS, "DaemonSet");
  }

  @Override
  public void changed(ObjectChange event) {
    boolean gone = event.type() == ObjectChange.Type.DELETED;
    if (event.resource().equals(Resources.NODES)) {
      noteNode(event, gone);
    } else if (event.resource().equals(Resources.PODS)) {
      notePod(event, gone);
    } else if (event.resource().equals(Resources.DAEMON_SETS) && gone) {
      tallies.remove(event.key());
      placed.remove(event.key());
      sums.remove(event.key());
    } else if (event.resource().equals(Resources.DAEMON_SETS)) {
      tallies.putIfAbsent(event.key(), new HashMap<>());
      super.changed(event);
    }
  }

  private void notePod(ObjectChange event, boolean gone) {
    ObjectKey owner = ObjectRefs.controllerOf(event.object(), "DaemonSet");
    if (owner == null) {
      return;
    }
    String node = targetNode(event.object());
    Map<String, Set<ObjectKey>> byNode = placed.computeIfAbsent(owner, _ -> new HashMap<>());
    Set<ObjectKey> there = byNode.computeIfAbsent(node, _ -> new TreeSet<>());
    if (gone) {
      there.remove(event.key());
    } else {
      there.add(event.key());
    }
    queue.soon(new OnNode(this, node), owner);
  }

  private void noteNode(ObjectChange event, boolean gone) {
    String name = event.key().name();
    if (gone) {
      nodes.remove(name);
    } else {
      nodes.add(name);
    }
    if (gone || event.changes("spec", "taints") || event.changes("metadata", "labels")) {
      tallies.keySet().forEach(key -> queue.soon(new OnNode(this, name), key));
    }
  }

  /** The node of a pod, or the one it must run on. */
  private static String targetNode(ObjectNode pod) {
    String node = PodQueries.node(pod);
    return node.isEmpty()
        ? JsonTrees.at(
                pod,
                "spec",
                "affinity",
                "nodeAffinity",
                "requiredDuringSchedulingIgnoredDuringExecution",
                "nodeSelectorTerms")
            .path(0)
            .path("matchFields")
            .path(0)
            .path("values")
            .path(0)
            .asText()
        : node;
  }

  @Override
  void look(ObjectKey key, ObjectNode set) {
    for (String node : List.copyOf(nodes)) {
      tend(key, set, node);
    }
    report(key, set);
  }

  private void lookAt(ObjectKey key, String node) {
    ObjectNode set = client.get(Resources.DAEMON_SETS, key);
    if (set == null) {
      return;
    }
    tend(key, set, node);
    DaemonTally.Sum sum = report(key, set);
    if (sum.outdated() > 0 && rolls(set)) {
      // the update may continue on another node
      queue.soon(this, key);
    }
  }

  /** The DaemonSet's pods that run on this node or wait for it. */
  private List<ObjectNode> on(ObjectKey key, ObjectNode set, String node) {
    String uid = ObjectFacts.uid(set);
    List<ObjectNode> there = new ArrayList<>();
    for (ObjectKey pod : placed.getOrDefault(key, Map.of()).getOrDefault(node, Set.of())) {
      ObjectNode found = client.get(Resources.PODS, pod);
      JsonNode controller = found == null ? null : ObjectRefs.controllerOf(found);
      if (found != null && controller != null && JsonTrees.text(controller, "uid").equals(uid)) {
        there.add(found);
      }
    }
    return there;
  }

  private static boolean rolls(ObjectNode set) {
    return !JsonTrees.text(set, "spec", "updateStrategy", "type").equals("OnDelete");
  }

  private static int maxUnavailable(ObjectNode set, int desired) {
    String amount =
        JsonTrees.at(set, "spec", "updateStrategy", "rollingUpdate", "maxUnavailable").asText("1");
    return Math.max(1, RollingUpdate.share(amount, desired, true));
  }

  /** Creates, deletes and counts the pods of one node. */
  private void tend(ObjectKey key, ObjectNode set, String name) {
    ObjectNode node = client.get(Resources.NODES, new ObjectKey("", name));
    if (node == null) {
      count(key, name, DaemonTally.NONE);
      return;
    }
    Verdict verdict = DaemonPods.verdict(JsonTrees.at(set, "spec", "template"), node);
    String revision = PodTemplate.hash(JsonTrees.at(set, "spec", "template"));
    if (!ObjectFacts.isDeleted(set)) {
      act(key, set, name, on(key, set, name), verdict, revision);
    }
    List<ObjectNode> left = on(key, set, name).stream().filter(PodQueries::isActive).toList();
    count(key, name, DaemonTally.of(left, verdict.runs(), revision, this::isAvailable, set));
  }

  private boolean isAvailable(ObjectNode pod, ObjectNode set) {
    Instant from = PodQueries.availableFrom(pod, minReadySeconds(set));
    if (from != null && from.isAfter(client.clock().instant())) {
      queue.at(new OnNode(this, targetNode(pod)), ObjectFacts.key(set), from);
      return false;
    }
    return from != null;
  }

  private void act(
      ObjectKey key,
      ObjectNode set,
      String node,
      List<ObjectNode> pods,
      Verdict verdict,
      String revision) {
    pods.stream()
        .filter(pod -> PodQueries.isFinished(pod) || !verdict.stays())
        .forEach(this::deletePod);
    if (!verdict.runs() || !verdict.stays()) {
      return;
    }
    if (pods.isEmpty()) {
      createPod(DaemonPods.pod(set, node, revision));
      return;
    }
    for (ObjectNode pod : pods) {
      boolean outdated =
          !JsonTrees.text(pod, "metadata", "labels", DaemonPods.REVISION).equals(revision);
      if (outdated && rolls(set) && PodQueries.isActive(pod) && mayReplace(key, set, pod)) {
        deletePod(pod);
      }
    }
  }

  /** A pod that is not available anyway, or one more within maxUnavailable. */
  private boolean mayReplace(ObjectKey key, ObjectNode set, ObjectNode pod) {
    DaemonTally.Sum sum = sums.getOrDefault(key, DaemonTally.Sum.NOTHING);
    return !isAvailable(pod, set) || sum.unavailable() < maxUnavailable(set, sum.desired());
  }

  private void count(ObjectKey key, String node, DaemonTally tally) {
    Map<String, DaemonTally> known = tallies.computeIfAbsent(key, _ -> new HashMap<>());
    DaemonTally before =
        tally.equals(DaemonTally.NONE) ? known.remove(node) : known.put(node, tally);
    DaemonTally.Sum sum = sums.getOrDefault(key, DaemonTally.Sum.NOTHING);
    sums.put(key, sum.plus(before == null ? DaemonTally.NONE : before, -1).plus(tally, 1));
  }

  private DaemonTally.Sum report(ObjectKey key, ObjectNode set) {
    DaemonTally.Sum sum = sums.getOrDefault(key, DaemonTally.Sum.NOTHING);
    ObjectNode status = statusOf(set, Set.of());
    status
        .put("currentNumberScheduled", sum.current())
        .put("desiredNumberScheduled", sum.desired())
        .put("numberMisscheduled", sum.misplaced())
        .put("numberReady", sum.ready());
    putCount(status, "numberAvailable", sum.available());
    putCount(status, "numberUnavailable", sum.unavailable());
    putCount(status, "updatedNumberScheduled", sum.updated());
    client.setStatus(Resources.DAEMON_SETS, key, status);
    return sum;
  }
}
