package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.FieldSelector.SelectableField;
import java.util.Map;

/** Namespaces: a finalizer in their spec keeps them until they are empty. */
final class NamespaceRules implements BuiltInRules {
  private static final String FINALIZER = "kubernetes";

  @Override
  public boolean countsGenerations() {
    return false;
  }

  @Override
  public Map<String, SelectableField> selectableFields() {
    return Map.of("status.phase", SelectableField.of("status.phase"));
  }

  @Override
  public void beforeCreate(ObjectNode object) {
    ObjectNode metadata = JsonTrees.metadata(object);
    JsonTrees.child(metadata, "labels")
        .put("kubernetes.io/metadata.name", JsonTrees.text(metadata, "name"));
    JsonTrees.child(object, "spec").putArray("finalizers").add(FINALIZER);
    object.putObject("status").put("phase", "Active");
  }

  /** Only the server removes the finalizer. */
  @Override
  public void beforeUpdate(ObjectNode object, ObjectNode before) {
    JsonTrees.copy(
        JsonTrees.child(object, "spec"), "finalizers", JsonTrees.at(before, "spec", "finalizers"));
  }

  @Override
  public void beforeDelete(ObjectNode object) {
    JsonTrees.child(object, "status").put("phase", "Terminating");
    // it is removed when it is empty, however long that takes
    JsonTrees.metadata(object).remove("deletionGracePeriodSeconds");
  }

  @Override
  public boolean isHeld(ObjectNode object) {
    return !JsonTrees.at(object, "spec", "finalizers").isEmpty();
  }
}
