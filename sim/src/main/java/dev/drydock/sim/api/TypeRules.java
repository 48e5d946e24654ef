package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.fields.Schema;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.FieldSelector.SelectableField;
import dev.drydock.sim.store.Store;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What is particular to a type. The objects given may be changed, those before may not. */
public interface TypeRules {
  /** Whether the status is written apart from the rest. */
  boolean hasStatus();

  /** Whether the server counts changes of what is wanted. */
  boolean countsGenerations();

  /** Custom resources are different in many small ways. */
  default boolean isCustom() {
    return false;
  }

  /** The group that it is stored in, which may serve it in another group too. */
  default String storageGroup(String group) {
    return group;
  }

  /** Names under which it is shown together with others, such as {@code all}. */
  default List<String> categories() {
    return List.of();
  }

  /** Fields that can be selected by, besides the name and the namespace. */
  default Map<String, SelectableField> selectableFields() {
    return Map.of();
  }

  /** What is known of the fields of the type, as it is served. */
  Schema schema(ResourceType type);

  /** The columns that its definition asks for, besides the name. */
  default JsonNode printerColumns() {
    return JsonTrees.array();
  }

  /** What callers are told who still use this version; empty if they may. */
  default String deprecation(ResourceType type) {
    return "";
  }

  /** Drops fields that the type, as it is served, does not have, and names them. */
  List<String> dropUnknown(ObjectNode object, ResourceType type);

  /** Fills in what was left out, and drops what the creator may not say. */
  default void beforeCreate(ObjectNode object) {
    if (hasStatus()) {
      object.remove("status");
    }
  }

  /** Fills in what follows from other objects, or refuses what does not fit to them. */
  default void admit(ObjectNode object, ResourceType type, Store store) {}

  /** How many there are to be, if that can be said apart from the rest. */
  default @Nullable ScalePaths scale() {
    return null;
  }

  default void beforeUpdate(ObjectNode object, ObjectNode before) {}

  default List<Cause> validate(ObjectNode object, @Nullable ObjectNode before) {
    return List.of();
  }

  /** How long the object has from its deletion until it goes. */
  default long graceSeconds(ObjectNode object, @Nullable Long asked) {
    return 0;
  }

  /** What a deletion changes besides the metadata. */
  default void beforeDelete(ObjectNode object) {}

  /** Whether something besides finalizers keeps a deleted object. */
  default boolean isHeld(ObjectNode object) {
    return false;
  }

  /** From the form of this version to the stored one; may be the same tree. */
  default ObjectNode stored(ObjectNode served) {
    return served;
  }

  default ObjectNode served(ObjectNode stored) {
    return stored;
  }

  /** Takes over what a write of the status may change. */
  default void takeStatus(ObjectNode object, ObjectNode written) {
    JsonTrees.copy(object, "status", written.path("status"));
    if (!isCustom()) {
      for (String field : List.of("labels", "annotations", "finalizers")) {
        JsonTrees.copy(JsonTrees.metadata(object), field, JsonTrees.at(written, "metadata", field));
      }
    }
  }
}
