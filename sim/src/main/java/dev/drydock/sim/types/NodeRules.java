package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.LabelRules;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.FieldSelector.SelectableField;
import dev.drydock.sim.store.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Nodes: a kubelet may create one with its status. */
final class NodeRules implements BuiltInRules {
  private static final String NOT_READY = "node.kubernetes.io/not-ready";
  private static final String[] EFFECTS = {"NoSchedule", "PreferNoSchedule", "NoExecute"};

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
    JsonTrees.child(object, "status");
    JsonTrees.child(object, "spec");
  }

  @Override
  public void admit(ObjectNode object, ResourceType type, Store store) {
    ArrayNode taints = JsonTrees.child(object, "spec").withArray("taints");
    if (taints.valueStream().noneMatch(taint -> JsonTrees.text(taint, "key").equals(NOT_READY))) {
      // new nodes are tainted until the node controller has seen that they are ready
      taints.addObject().put("key", NOT_READY).put("effect", "NoSchedule");
    }
  }

  @Override
  public List<Cause> validate(ObjectNode object, @Nullable ObjectNode before) {
    List<Cause> causes = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    int index = 0;
    for (JsonNode taint : JsonTrees.at(object, "spec", "taints")) {
      String at = "metadata.taints[%d]".formatted(index++);
      String key = JsonTrees.text(taint, "key");
      String effect = JsonTrees.text(taint, "effect");
      LabelRules.validateKey(at + ".key", key, causes);
      LabelRules.validateValue(at + ".value", JsonTrees.text(taint, "value"), causes);
      if (effect.isEmpty()) {
        causes.add(Cause.required(at + ".effect"));
      } else if (!List.of(EFFECTS).contains(effect)) {
        causes.add(Cause.unsupported(at + ".effect", effect, EFFECTS));
      }
      if (!seen.add(key + ":" + effect)) {
        causes.add(Cause.duplicate(at, taint + ": taints must be unique by key and effect pair"));
      }
    }
    return causes;
  }

  /** Default false values are not stored. */
  @Override
  public void beforeUpdate(ObjectNode object, ObjectNode before) {
    ObjectNode spec = JsonTrees.child(object, "spec");
    if (!spec.path("unschedulable").asBoolean()) {
      spec.remove("unschedulable");
    }
    if (spec.path("taints").isEmpty()) {
      spec.remove("taints");
    }
  }
}
