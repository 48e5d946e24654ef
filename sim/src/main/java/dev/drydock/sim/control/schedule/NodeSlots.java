package dev.drydock.sim.control.schedule;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * All nodes, grouped by equal properties: whether a pod can run there is checked once per group,
 * and in each group the node with the most free resources comes first.
 */
final class NodeSlots {
  /** A group of interchangeable nodes, with cached results for pod shapes. */
  private static final class Group {
    private static final int MOST_SHAPES = 1_000;
    final TreeSet<NodeSlot> slots = new TreeSet<>(NodeSlot.ORDER);
    private final Map<String, String> objections = new HashMap<>();

    String objection(PodShape pod) {
      String known = objections.get(pod.text());
      if (known == null) {
        known = slots.first().objection(pod);
        if (objections.size() >= MOST_SHAPES) {
          objections.clear();
        }
        objections.put(pod.text(), known);
      }
      return known;
    }
  }

  private final Map<String, NodeSlot> slots = new LinkedHashMap<>();
  private final Map<String, Group> groups = new LinkedHashMap<>();
  private final Map<String, String> groupOf = new HashMap<>();
  private long sequence;
  private long checks;

  /** How many nodes were examined for pods: a measure of the scheduling cost. */
  long checks() {
    return checks;
  }

  NodeSlot slot(String node) {
    return slots.computeIfAbsent(node, name -> new NodeSlot(name, sequence++));
  }

  /** Updates a node, or removes it. */
  void observe(String name, @Nullable ObjectNode node) {
    NodeSlot slot = slot(name);
    leaveGroup(slot);
    slot.observe(node);
    enterGroup(slot, slot.group());
    if (node == null && slot.pods() == 0) {
      slots.remove(name);
      groupOf.remove(name);
    }
  }

  void take(String node, Map<String, Long> amounts) {
    NodeSlot slot = slot(node);
    String group = leaveGroup(slot);
    slot.take(amounts);
    enterGroup(slot, group);
  }

  void giveBack(String node, Map<String, Long> amounts) {
    NodeSlot slot = slot(node);
    String group = leaveGroup(slot);
    slot.giveBack(amounts);
    enterGroup(slot, group);
  }

  private String leaveGroup(NodeSlot slot) {
    String key = groupOf.getOrDefault(slot.name(), "");
    Group group = groups.get(key);
    if (group != null) {
      group.slots.remove(slot);
    }
    return key;
  }

  private void enterGroup(NodeSlot slot, String key) {
    String before = groupOf.getOrDefault(slot.name(), "");
    Group left = groups.get(before);
    if (!before.equals(key) && left != null && left.slots.isEmpty()) {
      groups.remove(before);
    }
    groupOf.put(slot.name(), key);
    if (slot.exists()) {
      groups.computeIfAbsent(key, _ -> new Group()).slots.add(slot);
    }
  }

  /** The node with the most free resources that fits this pod, or null. */
  @Nullable NodeSlot find(PodShape pod) {
    String only = pod.byName() ? pod.onlyNode() : null;
    if (only != null) {
      NodeSlot slot = slots.get(only);
      return slot != null && takes(slot, pod) ? slot : null;
    }
    NodeSlot best = null;
    for (Group group : groups.values()) {
      if (!group.slots.isEmpty() && (pod.byName() || group.objection(pod).isEmpty())) {
        NodeSlot found = firstOf(group, pod, best);
        best = found == null ? best : found;
      }
    }
    return best;
  }

  /** The first node of the group that fits the pod, if it is better than the best so far. */
  private @Nullable NodeSlot firstOf(Group group, PodShape pod, @Nullable NodeSlot best) {
    for (NodeSlot slot : group.slots) {
      if (best != null && NodeSlot.ORDER.compare(slot, best) >= 0) {
        return null;
      }
      checks++;
      if (slot.shortage(pod.requests()).isEmpty()
          && (!pod.byName() || slot.objection(pod).isEmpty())) {
        return slot;
      }
    }
    return null;
  }

  boolean takes(NodeSlot slot, PodShape pod) {
    checks++;
    return slot.exists()
        && slot.objection(pod).isEmpty()
        && slot.shortage(pod.requests()).isEmpty();
  }

  /** Why no node fits this pod, in the real scheduler's wording. */
  String whyNone(PodShape pod) {
    Map<String, Integer> reasons = new TreeMap<>();
    int nodes = 0;
    for (Group group : groups.values()) {
      for (NodeSlot slot : group.slots) {
        nodes++;
        String objection = pod.byName() ? slot.objection(pod) : group.objection(pod);
        String reason = objection.isEmpty() ? slot.shortage(pod.requests()) : objection;
        reasons.merge(reason, 1, Integer::sum);
      }
    }
    if (nodes == 0) {
      return "no nodes available to schedule pods";
    }
    StringBuilder message = new StringBuilder("0/" + nodes + " nodes are available: ");
    reasons.forEach(
        (reason, count) -> message.append(count).append(' ').append(reason).append(", "));
    return message.substring(0, message.length() - 2) + ".";
  }
}
