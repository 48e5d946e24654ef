package dev.drydock.sim.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * A cluster as an export would contain it: nodes in racks, running pods of ReplicaSets, budgets.
 */
final class FleetFile {
  private static final int PODS_PER_SET = 100;

  private FleetFile() {}

  static List<ObjectNode> of(int nodes, int podsPerNode) {
    List<ObjectNode> objects = new ArrayList<>();
    int sets = Math.max(1, nodes * podsPerNode / PODS_PER_SET);
    for (int i = 0; i < nodes; i++) {
      objects.add(node(i));
    }
    for (int i = 0; i < sets; i++) {
      objects.add(set(i));
      objects.add(budget(i));
    }
    for (int i = 0; i < nodes * podsPerNode; i++) {
      objects.add(pod(i, i % sets, "node-" + i % nodes));
    }
    return objects;
  }

  private static ObjectNode node(int number) {
    ObjectNode node = JsonTrees.object().put("apiVersion", "v1").put("kind", "Node");
    JsonTrees.metadata(node).put("name", "node-" + number);
    JsonTrees.child(JsonTrees.metadata(node), "labels")
        .put("rack", "rack-" + number / 40)
        .put("topology.kubernetes.io/zone", "zone-" + number % 3);
    return node;
  }

  private static String uid(int set) {
    return new UUID(0, set).toString();
  }

  private static ObjectNode set(int number) {
    ObjectNode set = JsonTrees.object().put("apiVersion", "apps/v1").put("kind", "ReplicaSet");
    JsonTrees.metadata(set)
        .put("name", "app-" + number)
        .put("namespace", "apps")
        .put("uid", uid(number));
    ObjectNode spec = JsonTrees.child(set, "spec").put("replicas", PODS_PER_SET);
    JsonTrees.child(JsonTrees.child(spec, "selector"), "matchLabels").put("app", "app-" + number);
    ObjectNode template = JsonTrees.child(spec, "template");
    JsonTrees.child(JsonTrees.metadata(template), "labels").put("app", "app-" + number);
    template.set("spec", podSpec());
    return set;
  }

  private static ObjectNode budget(int number) {
    ObjectNode budget =
        JsonTrees.object().put("apiVersion", "policy/v1").put("kind", "PodDisruptionBudget");
    JsonTrees.metadata(budget).put("name", "app-" + number).put("namespace", "apps");
    ObjectNode spec = JsonTrees.child(budget, "spec").put("maxUnavailable", 10);
    JsonTrees.child(JsonTrees.child(spec, "selector"), "matchLabels").put("app", "app-" + number);
    return budget;
  }

  private static ObjectNode podSpec() {
    ObjectNode spec = JsonTrees.object();
    ObjectNode container = spec.putArray("containers").addObject();
    container.put("name", "main").put("image", "none");
    JsonTrees.child(JsonTrees.child(container, "resources"), "requests")
        .put("cpu", "500m")
        .put("memory", "1Gi");
    return spec;
  }

  private static ObjectNode pod(int number, int set, String node) {
    ObjectNode pod = JsonTrees.object().put("apiVersion", "v1").put("kind", "Pod");
    ObjectNode metadata = JsonTrees.metadata(pod);
    metadata.put("name", "app-" + set + "-" + number).put("namespace", "apps");
    JsonTrees.child(metadata, "labels").put("app", "app-" + set);
    metadata
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "apps/v1")
        .put("kind", "ReplicaSet")
        .put("name", "app-" + set)
        .put("uid", uid(set))
        .put("controller", true);
    pod.set("spec", podSpec().put("nodeName", node));
    JsonTrees.child(pod, "status").put("phase", "Running");
    return pod;
  }
}
