package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.TypeRules;
import java.util.List;

/** Rules of a built-in type. */
interface BuiltInRules extends TypeRules {
  @Override
  default List<String> dropUnknown(ObjectNode object, ResourceType type) {
    return KnownFields.dropUnknown(object, type);
  }
}
