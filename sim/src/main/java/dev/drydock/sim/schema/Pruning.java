package dev.drydock.sim.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Drops unknown fields and returns their names. Modifies the value in place. */
final class Pruning {
  private static final String PRESERVE = "x-kubernetes-preserve-unknown-fields";
  private static final String EMBEDDED = "x-kubernetes-embedded-resource";
  private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");

  private Pruning() {}

  static List<String> pruneResource(ObjectNode resource, JsonNode schema) {
    List<String> dropped = new ArrayList<>();
    pruneObject(resource, schema, "", dropped);
    return dropped;
  }

  private static void prune(JsonNode value, JsonNode schema, String path, List<String> dropped) {
    if (value instanceof ObjectNode object) {
      pruneObject(object, schema, path, dropped);
    } else if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        prune(value.path(i), schema.path("items"), path + "[" + i + "]", dropped);
      }
    }
  }

  private static void pruneObject(
      ObjectNode object, JsonNode schema, String path, List<String> dropped) {
    boolean resource = path.isEmpty() || schema.path(EMBEDDED).asBoolean();
    JsonNode properties = schema.path("properties");
    JsonNode additional = schema.path("additionalProperties");
    boolean open = schema.path(PRESERVE).asBoolean() || additional.asBoolean();
    for (Map.Entry<String, JsonNode> field : List.copyOf(object.properties())) {
      String name = field.getKey();
      String below = Validation.below(path, name);
      if (resource && OF_EVERY_OBJECT.contains(name)) {
        continue;
      }
      if (properties.has(name)) {
        prune(field.getValue(), properties.path(name), below, dropped);
      } else if (additional.isObject()) {
        prune(field.getValue(), additional, below, dropped);
      } else if (!open) {
        object.remove(name);
        dropped.add(below);
      }
    }
  }
}
