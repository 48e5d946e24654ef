package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.TypeRules;
import dev.drydock.sim.fields.Schema;
import java.util.List;

/** The rules of a built-in type. */
interface BuiltInRules extends TypeRules {
  @Override
  default boolean hasStatus() {
    return true;
  }

  @Override
  default boolean countsGenerations() {
    return true;
  }

  @Override
  default Schema schema(ResourceType type) {
    return Schema.ofKind(type.group(), type.version(), type.names().kind());
  }

  @Override
  default List<String> dropUnknown(ObjectNode object, ResourceType type) {
    return KnownFields.dropUnknown(object, type, schema(type));
  }
}
