package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** The expected pods and the desired healthy pods of a budget's spec. */
final class ExpectedPods {
  record Expected(int pods, int healthy) {}

  /** The expected number of pods cannot be determined. */
  static final class Uncountable extends RuntimeException {
    Uncountable(String message) {
      super(message);
    }
  }

  private static final Set<String> SCALABLE =
      Set.of("Deployment", "ReplicaSet", "StatefulSet", "ReplicationController");

  private final Registry registry;

  ExpectedPods(Registry registry) {
    this.registry = registry;
  }

  /** Whether changes of this resource may change the expected number. */
  static boolean isCounted(String resource) {
    return Set.of(
            "deployments.apps", "replicasets.apps", "statefulsets.apps", "replicationcontrollers.")
        .contains(resource);
  }

  Expected of(JsonNode spec, Collection<ObjectNode> pods) {
    JsonNode maxUnavailable = spec.path("maxUnavailable");
    JsonNode minAvailable = spec.path("minAvailable");
    if (JsonTrees.isPresent(maxUnavailable)) {
      int scale = scale(pods);
      return new Expected(scale, Math.max(0, scale - share(maxUnavailable, scale)));
    }
    if (minAvailable.isTextual()) {
      int scale = scale(pods);
      return new Expected(scale, share(minAvailable, scale));
    }
    return new Expected(pods.size(), minAvailable.asInt());
  }

  /** The number itself, or that percentage, rounded up. */
  private static int share(JsonNode amount, int of) {
    if (!amount.isTextual()) {
      return amount.asInt();
    }
    String text = amount.asText();
    if (!text.matches("[0-9]+%")) {
      throw new Uncountable("invalid value for IntOrString: " + text);
    }
    int percent = Integer.parseInt(text.substring(0, text.length() - 1));
    return Math.ceilDiv(percent * of, 100);
  }

  /** The sum of the replicas of these pods' controllers; pods without a controller do not count. */
  private int scale(Collection<ObjectNode> pods) {
    Map<String, JsonNode> controllers = new LinkedHashMap<>();
    String namespace = "";
    for (ObjectNode pod : pods) {
      JsonNode controller = ObjectRefs.controllerOf(pod);
      if (controller != null) {
        controllers.putIfAbsent(JsonTrees.text(controller, "uid"), controller);
        namespace = JsonTrees.text(pod, "metadata", "namespace");
      }
    }
    Map<String, Integer> wanted = new HashMap<>();
    for (JsonNode controller : controllers.values()) {
      ObjectNode scaled = topmost(namespace, controller);
      wanted.put(ObjectFacts.uid(scaled), JsonTrees.at(scaled, "spec", "replicas").asInt(1));
    }
    return wanted.values().stream().mapToInt(Integer::intValue).sum();
  }

  private ObjectNode topmost(String namespace, JsonNode reference) {
    String kind = JsonTrees.text(reference, "kind");
    ResourceType type = registry.types().ofKind(JsonTrees.text(reference, "apiVersion"), kind);
    if (type == null || !SCALABLE.contains(kind)) {
      String resource = type == null ? kind : type.names().plural();
      throw new Uncountable(resource + " does not implement the scale subresource");
    }
    String name = JsonTrees.text(reference, "name");
    ObjectNode controller = registry.store().get(type.resource(), new ObjectKey(namespace, name));
    if (controller == null
        || !ObjectFacts.uid(controller).equals(JsonTrees.text(reference, "uid"))) {
      throw new Uncountable("%s %s, to ask for its scale, was not found".formatted(kind, name));
    }
    JsonNode above = ObjectRefs.controllerOf(controller);
    return above != null && kind.equals("ReplicaSet") ? topmost(namespace, above) : controller;
  }
}
