package dev.drydock.sim.fields;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.json.PatchRefused;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Strategic merge patch: like a merge patch, but some lists are merged by element. The schema
 * defines which lists, and by which key.
 */
public final class StrategicMergePatch {
  private static final String DIRECTIVE = "$patch";
  private static final String DELETE_PRIMITIVES = "$deleteFromPrimitiveList/";
  private static final String ELEMENT_ORDER = "$setElementOrder/";
  private static final String RETAIN_KEYS = "$retainKeys";

  private StrategicMergePatch() {}

  /** The target with the patch applied; neither is modified. */
  public static ObjectNode apply(ObjectNode target, ObjectNode patch, Schema schema) {
    if (patch.path(DIRECTIVE).asText().equals("replace")) {
      return withoutDirectives(patch);
    }
    if (patch.path(DIRECTIVE).asText().equals("delete")) {
      return JsonTrees.object();
    }
    ObjectNode merged = target.deepCopy();
    if (patch.path(RETAIN_KEYS) instanceof ArrayNode retained) {
      merged.retain(JsonTrees.texts(retained));
    }
    for (Map.Entry<String, JsonNode> change : patch.properties()) {
      merge(merged, change.getKey(), change.getValue(), schema.field(change.getKey()));
    }
    return merged;
  }

  private static void merge(ObjectNode merged, String field, JsonNode change, Schema schema) {
    if (field.startsWith(DELETE_PRIMITIVES)) {
      String list = field.substring(DELETE_PRIMITIVES.length());
      merged.set(list, without(merged.path(list), change));
    } else if (field.startsWith(ELEMENT_ORDER)
        || field.equals(DIRECTIVE)
        || field.equals(RETAIN_KEYS)) {
      // the order of elements has no meaning in merged lists
    } else if (change.isNull()) {
      merged.remove(field);
    } else if (change instanceof ObjectNode object) {
      ObjectNode present = merged.path(field) instanceof ObjectNode it ? it : JsonTrees.object();
      merged.set(field, apply(present, object, schema));
    } else if (change instanceof ArrayNode list) {
      merged.set(field, list(merged.path(field), list, schema));
    } else {
      merged.set(field, change);
    }
  }

  private static JsonNode list(JsonNode present, ArrayNode patch, Schema schema) {
    boolean replaces =
        patch.valueStream().anyMatch(each -> each.path(DIRECTIVE).asText().equals("replace"));
    if (!schema.mergesInPatches() || replaces) {
      return replacement(patch);
    }
    return schema.patchMergeKey().isEmpty()
        ? union(present, patch)
        : mergedByKey(present, patch, schema);
  }

  private static ArrayNode mergedByKey(JsonNode present, ArrayNode patch, Schema schema) {
    String key = schema.patchMergeKey();
    Map<JsonNode, JsonNode> elements = new LinkedHashMap<>();
    present.forEach(element -> elements.put(element.path(key), element));
    for (JsonNode element : patch) {
      if (!(element instanceof ObjectNode change) || !element.has(key)) {
        throw new PatchRefused("map: " + element + " does not contain declared merge key: " + key);
      }
      if (change.path(DIRECTIVE).asText().equals("delete")) {
        elements.remove(change.path(key));
      } else {
        ObjectNode old =
            elements.get(change.path(key)) instanceof ObjectNode o ? o : JsonTrees.object();
        elements.put(change.path(key), apply(old, change, schema.element()));
      }
    }
    return JsonTrees.array().addAll(elements.values());
  }

  private static ArrayNode replacement(ArrayNode patch) {
    ArrayNode list = JsonTrees.array();
    for (JsonNode element : patch) {
      if (!(element instanceof ObjectNode object)) {
        list.add(element);
      } else if (object.size() != 1 || !object.has(DIRECTIVE)) {
        list.add(withoutDirectives(object));
      }
    }
    return list;
  }

  private static ObjectNode withoutDirectives(ObjectNode object) {
    ObjectNode clean = object.deepCopy();
    clean.remove(DIRECTIVE);
    return clean;
  }

  private static ArrayNode union(JsonNode present, JsonNode more) {
    Set<JsonNode> elements = new LinkedHashSet<>();
    present.forEach(elements::add);
    more.forEach(elements::add);
    return JsonTrees.array().addAll(elements);
  }

  private static ArrayNode without(JsonNode present, JsonNode less) {
    Set<JsonNode> elements = new LinkedHashSet<>();
    present.forEach(elements::add);
    less.forEach(elements::remove);
    return JsonTrees.array().addAll(elements);
  }
}
