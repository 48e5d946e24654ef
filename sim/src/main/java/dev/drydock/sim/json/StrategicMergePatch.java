package dev.drydock.sim.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Kubernetes' own merge patch: like a merge patch, but some lists merge element by element. Which
 * do, and by which key, is known by the name of the field, which is the same in all built-in types.
 */
public final class StrategicMergePatch {
  private static final String DIRECTIVE = "$patch";
  private static final String DELETE_PRIMITIVES = "$deleteFromPrimitiveList/";
  private static final String ELEMENT_ORDER = "$setElementOrder/";
  private static final String RETAIN_KEYS = "$retainKeys";

  /** The key of each list that merges; of several, the first that the elements have. */
  private static final Map<String, List<String>> MERGE_KEYS =
      Map.ofEntries(
          Map.entry("conditions", List.of("type")),
          Map.entry("addresses", List.of("type")),
          Map.entry("taints", List.of("key")),
          Map.entry("ownerReferences", List.of("uid")),
          Map.entry("containers", List.of("name")),
          Map.entry("initContainers", List.of("name")),
          Map.entry("ephemeralContainers", List.of("name")),
          Map.entry("env", List.of("name")),
          Map.entry("ports", List.of("containerPort", "port")),
          Map.entry("volumes", List.of("name")),
          Map.entry("volumeMounts", List.of("mountPath")),
          Map.entry("volumeDevices", List.of("devicePath")),
          Map.entry("imagePullSecrets", List.of("name")),
          Map.entry("hostAliases", List.of("ip")),
          Map.entry("podIPs", List.of("ip")),
          Map.entry("hostIPs", List.of("ip")),
          Map.entry("topologySpreadConstraints", List.of("topologyKey")),
          Map.entry("schedulingGates", List.of("name")),
          Map.entry("resourceClaims", List.of("name")),
          Map.entry("secrets", List.of("name")),
          Map.entry("webhooks", List.of("name")));

  private static final Set<String> MERGED_PRIMITIVES = Set.of("finalizers", "podCIDRs");

  private StrategicMergePatch() {}

  /** The target with the patch applied; neither is changed. */
  public static ObjectNode apply(ObjectNode target, ObjectNode patch) {
    if (patch.path(DIRECTIVE).asText().equals("replace")) {
      return withoutDirectives(patch);
    }
    if (patch.path(DIRECTIVE).asText().equals("delete")) {
      return Json.object();
    }
    ObjectNode merged = target.deepCopy();
    if (patch.path(RETAIN_KEYS) instanceof ArrayNode retained) {
      merged.retain(Json.texts(retained));
    }
    patch.properties().forEach(change -> merge(merged, change.getKey(), change.getValue()));
    return merged;
  }

  private static void merge(ObjectNode merged, String field, JsonNode change) {
    if (field.startsWith(DELETE_PRIMITIVES)) {
      String list = field.substring(DELETE_PRIMITIVES.length());
      merged.set(list, without(merged.path(list), change));
    } else if (field.startsWith(ELEMENT_ORDER)
        || field.equals(DIRECTIVE)
        || field.equals(RETAIN_KEYS)) {
      // the order of elements carries no meaning in the lists that merge
    } else if (change.isNull()) {
      merged.remove(field);
    } else if (change instanceof ObjectNode object) {
      ObjectNode present = merged.path(field) instanceof ObjectNode it ? it : Json.object();
      merged.set(field, apply(present, object));
    } else if (change instanceof ArrayNode list) {
      merged.set(field, list(field, merged.path(field), list));
    } else {
      merged.set(field, change);
    }
  }

  private static JsonNode list(String field, JsonNode present, ArrayNode patch) {
    if (MERGED_PRIMITIVES.contains(field)) {
      return union(present, patch);
    }
    List<String> keys = MERGE_KEYS.getOrDefault(field, List.of());
    String key =
        keys.stream()
            .filter(each -> patch.valueStream().anyMatch(element -> element.has(each)))
            .findFirst()
            .orElse("");
    boolean replaces =
        patch.valueStream().anyMatch(each -> each.path(DIRECTIVE).asText().equals("replace"));
    return key.isEmpty() || replaces ? replacement(patch) : mergedByKey(key, present, patch);
  }

  private static ArrayNode mergedByKey(String key, JsonNode present, ArrayNode patch) {
    Map<JsonNode, JsonNode> elements = new LinkedHashMap<>();
    present.forEach(element -> elements.put(element.path(key), element));
    for (JsonNode element : patch) {
      if (!(element instanceof ObjectNode change) || !element.has(key)) {
        throw new PatchRefused("map: " + element + " does not contain declared merge key: " + key);
      }
      if (change.path(DIRECTIVE).asText().equals("delete")) {
        elements.remove(change.path(key));
      } else {
        ObjectNode old = elements.get(change.path(key)) instanceof ObjectNode o ? o : Json.object();
        elements.put(change.path(key), apply(old, change));
      }
    }
    return Json.array().addAll(elements.values());
  }

  private static ArrayNode replacement(ArrayNode patch) {
    ArrayNode list = Json.array();
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
    return Json.array().addAll(elements);
  }

  private static ArrayNode without(JsonNode present, JsonNode less) {
    Set<JsonNode> elements = new LinkedHashSet<>();
    present.forEach(elements::add);
    less.forEach(elements::remove);
    return Json.array().addAll(elements);
  }
}
