package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.Json;
import dev.drydock.sim.select.FieldSelector.SelectableField;
import java.util.List;
import java.util.Map;

/** Nodes: who creates one, a kubelet, says at once how it is. */
final class NodeRules implements BuiltInRules {
  @Override
  public boolean hasStatus() {
    return true;
  }

  @Override
  public boolean countsGenerations() {
    return false;
  }

  @Override
  public Map<String, SelectableField> selectableFields() {
    return Map.of(
        "spec.unschedulable", new SelectableField(List.of("spec", "unschedulable"), "false"));
  }

  @Override
  public void beforeCreate(ObjectNode object) {
    Json.child(object, "spec");
    Json.child(object, "status");
  }

  /** What is false by default is not kept. */
  @Override
  public void beforeUpdate(ObjectNode object, ObjectNode before) {
    ObjectNode spec = Json.child(object, "spec");
    if (!spec.path("unschedulable").asBoolean()) {
      spec.remove("unschedulable");
    }
    if (spec.path("taints").isEmpty()) {
      spec.remove("taints");
    }
  }
}
