package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectChange;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.store.Store;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Indexes pods by node and objects by controller. Always consistent with the store and ordered by
 * name. Use it only inside a write.
 */
public final class ClusterIndex {
  private static final Set<String> CONTROLLED = Set.of(Resources.PODS, Resources.REPLICA_SETS);

  private final Map<String, Map<ObjectKey, ObjectNode>> podsByNode = new HashMap<>();
  private final Map<String, Map<ObjectKey, ObjectNode>> byController = new HashMap<>();

  public ClusterIndex(Store store) {
    store.index(this::note);
  }

  private void note(ObjectChange event) {
    if (!CONTROLLED.contains(event.resource())) {
      return;
    }
    boolean gone = event.type() == ObjectChange.Type.DELETED;
    ObjectNode before = event.previous();
    ObjectNode now = gone ? null : event.object();
    move(byController, event.key(), controllerUid(before), controllerUid(now), now);
    if (event.resource().equals(Resources.PODS)) {
      move(podsByNode, event.key(), node(before), node(now), now);
    }
  }

  private static void move(
      Map<String, Map<ObjectKey, ObjectNode>> groups,
      ObjectKey key,
      String before,
      String now,
      @Nullable ObjectNode object) {
    if (!before.isEmpty() && !before.equals(now)) {
      Map<ObjectKey, ObjectNode> group = groups.getOrDefault(before, Map.of());
      group.remove(key);
      if (group.isEmpty()) {
        groups.remove(before);
      }
    }
    if (!now.isEmpty() && object != null) {
      groups.computeIfAbsent(now, _ -> new TreeMap<>()).put(key, object);
    }
  }

  /** The pods bound to this node, including finished ones; a copy. */
  public List<ObjectNode> podsOn(String node) {
    return copy(podsByNode.get(node));
  }

  /** The pods or ReplicaSets that this object controls; a copy. */
  public List<ObjectNode> controlledBy(String uid) {
    return copy(byController.get(uid));
  }

  private static List<ObjectNode> copy(@Nullable Map<ObjectKey, ObjectNode> group) {
    Collection<ObjectNode> objects = group == null ? List.of() : group.values();
    return List.copyOf(objects);
  }

  private static String node(@Nullable ObjectNode pod) {
    return pod == null ? "" : JsonTrees.text(pod, "spec", "nodeName");
  }

  private static String controllerUid(@Nullable ObjectNode object) {
    JsonNode controller = object == null ? null : ObjectRefs.controllerOf(object);
    return controller == null ? "" : JsonTrees.text(controller, "uid");
  }
}
