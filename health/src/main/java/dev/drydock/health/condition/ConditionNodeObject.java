package dev.drydock.health.condition;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Versioned;
import java.util.List;
import java.util.Set;

/**
 * A Node with its conditions, except those of its kubelet.
 *
 * @param conditions without heartbeats, which change without meaning anything here
 */
record ConditionNodeObject(String name, String uid, String version, Conditions conditions)
    implements Versioned {
  private static final Set<String> KUBELETS =
      Set.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable");

  static ConditionNodeObject read(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    List<JsonNode> others =
        Conditions.of(node.path("status")).all().stream()
            .filter(condition -> !KUBELETS.contains(text(condition, "type")))
            .toList();
    return new ConditionNodeObject(
        text(metadata, "name"),
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        new Conditions(others));
  }

  ApiObject object() {
    return ApiObject.identified("", name, uid, version);
  }
}
