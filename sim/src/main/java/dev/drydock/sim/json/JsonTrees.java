package dev.drydock.sim.json;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/** Helpers for JSON trees. Absent values read as empty. */
public final class JsonTrees {
  public static final ObjectMapper MAPPER = new ObjectMapper();

  private JsonTrees() {}

  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  public static ArrayNode array() {
    return JsonNodeFactory.instance.arrayNode();
  }

  public static JsonNode at(JsonNode node, String... path) {
    JsonNode found = node;
    for (String field : path) {
      found = found.path(field);
    }
    return found;
  }

  /** The text there, or the empty text. */
  public static String text(JsonNode node, String... path) {
    JsonNode found = at(node, path);
    return found.isValueNode() && !found.isNull() ? found.asText() : "";
  }

  public static boolean isPresent(JsonNode node) {
    return !node.isMissingNode() && !node.isNull();
  }

  /** The object in this field, created if absent. */
  public static ObjectNode child(ObjectNode parent, String field) {
    return parent.get(field) instanceof ObjectNode existing ? existing : parent.putObject(field);
  }

  public static ObjectNode metadata(ObjectNode object) {
    return child(object, "metadata");
  }

  /** Sets the field, or removes it if the value is null. */
  public static void copy(ObjectNode target, String field, JsonNode found) {
    if (isPresent(found)) {
      target.set(field, found.deepCopy());
    } else {
      target.remove(field);
    }
  }

  public static void putIfAbsent(ObjectNode target, String field, String value) {
    if (!isPresent(target.path(field))) {
      target.put(field, value);
    }
  }

  /** The text as JSON. */
  public static String quoted(String text) {
    return JsonNodeFactory.instance.textNode(text).toString();
  }

  public static JsonNode number(long value) {
    return JsonNodeFactory.instance.numberNode(value);
  }

  /** Whether the object has this condition with status True. */
  public static boolean hasCondition(JsonNode object, String type) {
    for (JsonNode condition : at(object, "status", "conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  public static List<String> keys(JsonNode object) {
    return object.properties().stream().map(Map.Entry::getKey).toList();
  }

  public static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asText).toList();
  }
}
