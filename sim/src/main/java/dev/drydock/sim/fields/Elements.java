package dev.drydock.sim.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.json.PatchRefused;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** Splits values into separately owned parts. */
final class Elements {
  private Elements() {}

  /** Whether the value has separately owned parts. */
  static boolean hasParts(JsonNode value, Schema schema) {
    if (value.isObject()) {
      return !schema.isWhole();
    }
    return value.isArray() && (schema.isSet() || !schema.keys().isEmpty());
  }

  /** The parts of a value by path element, in order. */
  static Map<String, JsonNode> parts(JsonNode value, Schema schema) {
    Map<String, JsonNode> parts = new LinkedHashMap<>();
    if (value instanceof ObjectNode object) {
      object.properties().forEach(field -> parts.put("f:" + field.getKey(), field.getValue()));
    } else if (value.isArray()) {
      value.forEach(element -> parts.put(step(element, schema), element));
    }
    return parts;
  }

  static Schema schemaOf(String step, Schema schema) {
    return step.startsWith("f:") ? schema.field(step.substring(2)) : schema.element();
  }

  static String step(JsonNode element, Schema list) {
    if (list.isSet()) {
      return "v:" + element;
    }
    List<String> keys = list.keys();
    ObjectNode identity = JsonTrees.object();
    for (String key : new TreeSet<>(keys)) {
      JsonNode value = element.path(key);
      if (!JsonTrees.isPresent(value)) {
        value = list.element().field(key).own().path("default");
      }
      if (JsonTrees.isPresent(value)) {
        identity.set(key, value);
      } else if (keys.size() == 1) {
        throw new PatchRefused(
            "associative list with keys has an element that omits key field \"%s\" (and doesn't"
                    .formatted(key)
                + " have default value)");
      }
    }
    return "k:" + identity;
  }
}
