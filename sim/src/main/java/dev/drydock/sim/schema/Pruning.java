package dev.drydock.sim.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;

/** Drops what a schema does not know. Changes the value in place. */
final class Pruning {
  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  private static final String EMBEDDED = "x-kubernetes-embedded-resource";
  private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");

  private Pruning() {}

  static void pruneResource(ObjectNode resource, JsonNode schema) {
    pruneObject(resource, schema, true);
  }

  private static void prune(JsonNode value, JsonNode schema) {
    if (value instanceof ObjectNode object) {
      pruneObject(object, schema, schema.path(EMBEDDED).asBoolean());
    } else if (value.isArray()) {
      value.forEach(element -> prune(element, schema.path("items")));
    }
  }

  private static void pruneObject(ObjectNode object, JsonNode schema, boolean resource) {
    JsonNode properties = schema.path("properties");
    JsonNode additional = schema.path("additionalProperties");
    boolean open = schema.path(PRESERVE).asBoolean() || additional.asBoolean();
    for (String field : List.copyOf(object.propertyStream().map(it -> it.getKey()).toList())) {
      if (resource && OF_EVERY_OBJECT.contains(field)) {
        continue;
      }
      if (properties.has(field)) {
        prune(object.path(field), properties.path(field));
      } else if (additional.isObject()) {
        prune(object.path(field), additional);
      } else if (!open) {
        object.remove(field);
      }
    }
  }
}
