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

/** The rules of one type. The given objects may be modified, the previous ones may not. */
public interface TypeRules {
  /** Whether the type has a status subresource. */
  boolean hasStatus();

  /** Whether the server maintains the generation. */
  boolean countsGenerations();

  /** Custom resources differ in many details. */
  default boolean isCustom() {
    return false;
  }

  /** The group in which it is stored; it may be served in another group too. */
  default String storageGroup(String group) {
    return group;
  }

  /** Its categories, such as {@code all}. */
  default List<String> categories() {
    return List.of();
  }

  /** Supported field selectors besides name and namespace. */
  default Map<String, SelectableField> selectableFields() {
    return Map.of();
  }

  /** The schema of the served version. */
  Schema schema(ResourceType type);

  /** Additional printer columns besides the name. */
  default JsonNode printerColumns() {
    return JsonTrees.array();
  }

  /** The deprecation warning for this version; empty if it is not deprecated. */
  default String deprecation(ResourceType type) {
    return "";
  }

  /** Drops fields that the served version does not have, and returns their names. */
  List<String> dropUnknown(ObjectNode object, ResourceType type);

  /** Sets defaults, and drops fields that the creator may not set. */
  default void beforeCreate(ObjectNode object) {
    if (hasStatus()) {
      object.remove("status");
    }
  }

  /** Sets fields that depend on other objects, or refuses the object if it does not fit them. */
  default void admit(ObjectNode object, ResourceType type, Store store) {}

  /** Where the scale subresource finds its fields, if the type has one. */
  default @Nullable ScalePaths scale() {
    return null;
  }

  default void beforeUpdate(ObjectNode object, ObjectNode before) {}

  default List<Cause> validate(ObjectNode object, @Nullable ObjectNode before) {
    return List.of();
  }

  /** The object's grace period. */
  default long graceSeconds(ObjectNode object, @Nullable Long asked) {
    return 0;
  }

  /** What a deletion changes besides the metadata. */
  default void beforeDelete(ObjectNode object) {}

  /** Whether something other than finalizers keeps a deleted object. */
  default boolean isHeld(ObjectNode object) {
    return false;
  }

  /** Converts from this version to the stored form; may return the same tree. */
  default ObjectNode stored(ObjectNode served) {
    return served;
  }

  default ObjectNode served(ObjectNode stored) {
    return stored;
  }

  /** Copies the fields that a status write may change. */
  default void takeStatus(ObjectNode object, ObjectNode written) {
    JsonTrees.copy(object, "status", written.path("status"));
    if (!isCustom()) {
      for (String field : List.of("labels", "annotations", "finalizers")) {
        JsonTrees.copy(JsonTrees.metadata(object), field, JsonTrees.at(written, "metadata", field));
      }
    }
  }
}
