package dev.drydock.sim.control.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The scheduler's view of one node: allocatable and used resources. */
final class NodeSlot {
  /** The node with the most free resources first, then the oldest. */
  static final Comparator<NodeSlot> ORDER =
      Comparator.comparingInt(NodeSlot::pods).thenComparingLong(NodeSlot::sequence);

  private static final String PODS = "pods";
  private static final long DEFAULT_PODS = 110_000;
  private static final int ONE = 1_000;
  private static final Set<String> KEEPING_OFF = Set.of(Taints.NO_SCHEDULE, Taints.NO_EXECUTE);

  private final String name;
  private final long sequence;
  private final Map<String, Long> taken = new HashMap<>();
  private Map<String, Long> offered = Map.of();
  private @Nullable ObjectNode node;
  private int pods;

  NodeSlot(String name, long sequence) {
    this.name = name;
    this.sequence = sequence;
  }

  String name() {
    return name;
  }

  long sequence() {
    return sequence;
  }

  int pods() {
    return pods;
  }

  /** Pods may be bound to nodes that do not exist. */
  boolean exists() {
    return node != null;
  }

  void observe(@Nullable ObjectNode observed) {
    node = observed;
    offered =
        observed == null
            ? Map.of()
            : MilliQuantities.of(JsonTrees.at(observed, "status", "allocatable"));
  }

  void take(Map<String, Long> amounts) {
    pods++;
    amounts.forEach((resource, amount) -> taken.merge(resource, amount, Long::sum));
  }

  void giveBack(Map<String, Long> amounts) {
    pods--;
    amounts.forEach((resource, amount) -> taken.merge(resource, -amount, Long::sum));
  }

  /**
   * Everything that pods can select by, except the node's name and free resources: nodes with equal
   * groups are interchangeable.
   */
  String group() {
    if (node == null) {
      return "";
    }
    ObjectNode labels = JsonTrees.object();
    JsonTrees.at(node, "metadata", "labels")
        .properties()
        .forEach(each -> labels.set(each.getKey(), each.getValue()));
    labels.remove(NodeMatch.HOSTNAME);
    return labels + "\n" + taints() + "\n" + isUnschedulable();
  }

  private JsonNode taints() {
    return node == null ? JsonTrees.array() : JsonTrees.at(node, "spec", "taints");
  }

  private boolean isUnschedulable() {
    return node != null && JsonTrees.at(node, "spec", "unschedulable").asBoolean();
  }

  /** Why a pod of this shape cannot run here, or the empty text. */
  String objection(PodShape pod) {
    if (node == null) {
      return "node(s) were gone";
    }
    JsonNode tolerations = pod.spec().path("tolerations");
    JsonNode cordon = Taints.taint(Taints.UNSCHEDULABLE, Taints.NO_SCHEDULE);
    if (isUnschedulable()
        && tolerations.valueStream().noneMatch(each -> Taints.tolerates(each, cordon))) {
      return "node(s) were unschedulable";
    }
    if (!NodeMatch.matches(pod.spec(), JsonTrees.at(node, "metadata", "labels"), name)) {
      return "node(s) didn't match Pod's node affinity/selector";
    }
    JsonNode taint = Taints.untolerated(taints(), tolerations, KEEPING_OFF);
    return taint == null
        ? ""
        : "node(s) had untolerated taint {%s: %s}"
            .formatted(JsonTrees.text(taint, "key"), JsonTrees.text(taint, "value"));
  }

  /** The insufficient resource, or the empty text. */
  String shortage(Map<String, Long> requests) {
    if ((pods + 1L) * ONE > offered.getOrDefault(PODS, DEFAULT_PODS)) {
      return "Too many pods";
    }
    for (Map.Entry<String, Long> request : requests.entrySet()) {
      String resource = request.getKey();
      long left = offered.getOrDefault(resource, 0L) - taken.getOrDefault(resource, 0L);
      if (request.getValue() > left && request.getValue() > 0) {
        return "Insufficient " + resource;
      }
    }
    return "";
  }
}
