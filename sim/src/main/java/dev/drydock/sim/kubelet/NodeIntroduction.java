package dev.drydock.sim.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import io.fabric8.kubernetes.api.model.NodeStatus;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** Completes a Node with its kubelet's information when the kubelet first sees it. */
final class NodeIntroduction {
  static final String VERSION = "v1.36.4";

  private NodeIntroduction() {}

  static ObjectNode status(ObjectNode node, Addresses addresses, Instant now) {
    JsonNode present = node.path("status");
    Map<String, String> annotations = new LinkedHashMap<>();
    JsonTrees.at(node, "metadata", "annotations")
        .properties()
        .forEach(each -> annotations.put(each.getKey(), each.getValue().asText()));
    NodeTemplate template =
        new NodeTemplate(Map.of(), annotations, NodeTemplate.DEFAULT.capacity());
    NodeStatus introduction =
        NodeObjects.introduction(
            JsonTrees.text(node, "metadata", "name"), template, VERSION, addresses.next());
    NodeView view = StoredViews.node(node, null, now);
    if (view.conditions().isEmpty()) {
      introduction.setConditions(NodeObjects.well(view.conditions(), now));
    }
    ObjectNode status = StatusMerge.merge(JsonTrees.object(), introduction);
    present.properties().forEach(field -> status.set(field.getKey(), field.getValue()));
    JsonNode info = present.path("nodeInfo");
    if (JsonTrees.text(info, "bootID").isEmpty()) {
      ObjectNode machine = StatusMerge.merge(JsonTrees.object(), introduction.getNodeInfo());
      info.properties().forEach(field -> machine.set(field.getKey(), field.getValue()));
      machine.put("bootID", introduction.getNodeInfo().getBootID());
      status.set("nodeInfo", machine);
    }
    if (!present.path("capacity").isEmpty() && !present.has("allocatable")) {
      status.set("allocatable", present.path("capacity"));
    }
    if (!present.path("allocatable").isEmpty() && !present.has("capacity")) {
      status.set("capacity", present.path("allocatable"));
    }
    return status;
  }
}
