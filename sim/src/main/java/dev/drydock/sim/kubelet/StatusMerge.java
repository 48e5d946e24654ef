package dev.drydock.sim.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.json.JsonTrees;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.LinkedHashMap;
import java.util.Map;

/** Merges a kubelet's report into the current status, as the API server does. */
final class StatusMerge {
  private static final KubernetesSerialization MODEL = new KubernetesSerialization();

  private StatusMerge() {}

  static ObjectNode tree(Object model) {
    return MODEL.convertValue(model, ObjectNode.class);
  }

  /** Fields that the report does not name stay; conditions are matched by type. */
  static ObjectNode merge(JsonNode present, Object report) {
    ObjectNode merged = ControllerClient.shallow(present);
    ObjectNode changes = tree(report);
    for (Map.Entry<String, JsonNode> change : changes.properties()) {
      JsonNode value = change.getValue();
      switch (change.getKey()) {
        case "conditions" ->
            merged.set("conditions", conditions(present.path("conditions"), value));
        case "nodeInfo" -> merged.set("nodeInfo", over(present.path("nodeInfo"), value));
        default -> merged.set(change.getKey(), value);
      }
    }
    return merged;
  }

  private static ArrayNode conditions(JsonNode present, JsonNode changes) {
    Map<String, JsonNode> byType = new LinkedHashMap<>();
    present.forEach(each -> byType.put(JsonTrees.text(each, "type"), each));
    for (JsonNode change : changes) {
      JsonNode before = byType.getOrDefault(JsonTrees.text(change, "type"), JsonTrees.object());
      byType.put(JsonTrees.text(change, "type"), over(before, change));
    }
    return JsonTrees.array().addAll(byType.values());
  }

  private static ObjectNode over(JsonNode present, JsonNode changes) {
    ObjectNode merged = ControllerClient.shallow(present);
    for (Map.Entry<String, JsonNode> field : changes.properties()) {
      if (field.getValue().isTextual() && field.getValue().asText().isEmpty()) {
        // explicitly empty, so that nothing of the previous one is left
        merged.remove(field.getKey());
      } else {
        merged.set(field.getKey(), field.getValue());
      }
    }
    return merged;
  }
}
