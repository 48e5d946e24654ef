package dev.drydock.sim.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Merges a configuration into an object, and removes fields. */
final class Merging {
  private Merging() {}

  /** The object with the configuration applied; neither is modified. */
  static JsonNode merge(@Nullable JsonNode live, JsonNode wanted, Schema schema) {
    if (live == null
        || live.getNodeType() != wanted.getNodeType()
        || !Elements.hasParts(wanted, schema)) {
      return wanted.deepCopy();
    }
    if (wanted instanceof ObjectNode fields) {
      ObjectNode merged = live.deepCopy();
      for (Map.Entry<String, JsonNode> field : fields.properties()) {
        String name = field.getKey();
        merged.set(name, merge(live.get(name), field.getValue(), schema.field(name)));
      }
      return merged;
    }
    return mergeLists(Elements.parts(live, schema), Elements.parts(wanted, schema), schema);
  }

  /**
   * Common elements take the configuration's order; elements only in the object keep their
   * approximate position.
   */
  private static ArrayNode mergeLists(
      Map<String, JsonNode> live, Map<String, JsonNode> wanted, Schema schema) {
    Map<String, JsonNode> merged = new LinkedHashMap<>();
    Deque<String> next = new ArrayDeque<>(wanted.keySet());
    for (Map.Entry<String, JsonNode> element : live.entrySet()) {
      while (wanted.containsKey(element.getKey()) && !merged.containsKey(element.getKey())) {
        String step = next.removeFirst();
        merged.put(step, mergedElement(step, live, wanted, schema));
      }
      merged.putIfAbsent(element.getKey(), element.getValue());
    }
    next.forEach(step -> merged.put(step, mergedElement(step, live, wanted, schema)));
    return JsonTrees.array().addAll(merged.values());
  }

  private static JsonNode mergedElement(
      String step, Map<String, JsonNode> live, Map<String, JsonNode> wanted, Schema schema) {
    JsonNode element = wanted.getOrDefault(step, JsonTrees.object());
    return merge(live.get(step), element, schema.element());
  }

  /** Removes these fields from the value in place, except those that others use. */
  static void remove(JsonNode value, FieldSet fields, FieldSet kept, Schema schema) {
    Map<String, JsonNode> parts = Elements.parts(value, schema);
    fields.below().forEach((step, below) -> remove(parts, step, below, kept.at(step), schema));
    if (value instanceof ObjectNode object) {
      object.removeAll();
      parts.forEach((step, part) -> object.set(step.substring(2), part));
    } else if (value instanceof ArrayNode list) {
      list.removeAll();
      list.addAll(parts.values());
    }
  }

  private static void remove(
      Map<String, JsonNode> parts, String step, FieldSet fields, FieldSet kept, Schema schema) {
    JsonNode part = parts.get(step);
    if (part == null) {
      return;
    }
    boolean inUse = kept.isMember() || (step.startsWith("f:") && !kept.isEmpty());
    if (fields.isMember() && !inUse) {
      parts.remove(step);
      return;
    }
    Schema schemaOfPart = Elements.schemaOf(step, schema);
    if (Elements.hasParts(part, schemaOfPart)) {
      boolean hadParts = !part.isEmpty();
      remove(part, fields, kept, schemaOfPart);
      if (hadParts && part.isEmpty() && !inUse) {
        parts.remove(step);
      }
    }
  }
}
