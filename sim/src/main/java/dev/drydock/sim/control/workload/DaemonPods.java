package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.control.schedule.NodeMatch;
import dev.drydock.sim.control.schedule.Taints;
import dev.drydock.sim.json.JsonTrees;
import java.util.List;
import java.util.Set;

/** Which nodes a DaemonSet's pods run on, and their special properties. Pure. */
final class DaemonPods {
  static final String REVISION = "controller-revision-hash";
  private static final List<String> BORNE_FOR_EVER = List.of(Taints.NOT_READY, Taints.UNREACHABLE);
  private static final List<String> BORNE_AT_BEGIN =
      List.of(
          "node.kubernetes.io/disk-pressure",
          "node.kubernetes.io/memory-pressure",
          "node.kubernetes.io/pid-pressure",
          Taints.UNSCHEDULABLE);

  /** Whether to create a pod on a node, and whether an existing one may stay. */
  record Verdict(boolean runs, boolean stays) {
    static final Verdict NEITHER = new Verdict(false, false);
  }

  private DaemonPods() {}

  static Verdict verdict(JsonNode template, ObjectNode node) {
    ObjectNode spec = JsonTrees.object();
    spec.set("tolerations", tolerations(template.path("spec")));
    String name = JsonTrees.text(node, "metadata", "name");
    if (!NodeMatch.matches(template.path("spec"), JsonTrees.at(node, "metadata", "labels"), name)) {
      return Verdict.NEITHER;
    }
    JsonNode taints = JsonTrees.at(node, "spec", "taints");
    JsonNode tolerations = spec.path("tolerations");
    boolean stays = Taints.untolerated(taints, tolerations, Set.of(Taints.NO_EXECUTE)) == null;
    boolean runs =
        stays && Taints.untolerated(taints, tolerations, Set.of(Taints.NO_SCHEDULE)) == null;
    return new Verdict(runs, stays);
  }

  /** A pod of the DaemonSet that can only run on this node. */
  static ObjectNode pod(ObjectNode set, String node, String revision) {
    ObjectNode pod = PodTemplate.pod(set);
    PodTemplate.labels(pod).put(REVISION, revision);
    ObjectNode spec = JsonTrees.child(pod, "spec");
    spec.set("tolerations", tolerations(spec));
    ObjectNode required =
        JsonTrees.child(
            JsonTrees.child(JsonTrees.child(spec, "affinity"), "nodeAffinity"),
            "requiredDuringSchedulingIgnoredDuringExecution");
    ObjectNode field = JsonTrees.object().put("key", "metadata.name").put("operator", "In");
    field.putArray("values").add(node);
    // the template's node selector was checked already
    required.removeAll();
    required.putArray("nodeSelectorTerms").addObject().putArray("matchFields").add(field);
    return pod;
  }

  /** DaemonSet pods tolerate nodes that are not ready or under pressure. */
  private static ArrayNode tolerations(JsonNode podSpec) {
    ArrayNode tolerations = JsonTrees.array();
    podSpec.path("tolerations").forEach(tolerations::add);
    BORNE_FOR_EVER.forEach(key -> add(tolerations, key, Taints.NO_EXECUTE));
    BORNE_AT_BEGIN.forEach(key -> add(tolerations, key, Taints.NO_SCHEDULE));
    if (podSpec.path("hostNetwork").asBoolean()) {
      add(tolerations, "node.kubernetes.io/network-unavailable", Taints.NO_SCHEDULE);
    }
    return tolerations;
  }

  private static void add(ArrayNode tolerations, String key, String effect) {
    tolerations.addObject().put("key", key).put("operator", "Exists").put("effect", effect);
  }
}
