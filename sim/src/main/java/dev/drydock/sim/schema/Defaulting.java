package dev.drydock.sim.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** Applies a schema's defaults. Modifies the value in place. */
final class Defaulting {
  private Defaulting() {}

  static void fillIn(JsonNode value, JsonNode schema) {
    if (value instanceof ObjectNode object) {
      for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
        fillIn(object, property.getKey(), property.getValue());
      }
      JsonNode additional = schema.path("additionalProperties");
      if (additional.isObject()) {
        object.forEach(each -> fillIn(each, additional));
      }
    } else if (value.isArray()) {
      value.forEach(element -> fillIn(element, schema.path("items")));
    }
  }

  private static void fillIn(ObjectNode object, String field, JsonNode schema) {
    JsonNode present = object.path(field);
    // null counts as absent where it is not a valid value
    boolean absent =
        present.isMissingNode() || (present.isNull() && !schema.path("nullable").asBoolean());
    if (absent && schema.has("default")) {
      object.set(field, schema.path("default").deepCopy());
    }
    fillIn(object.path(field), schema);
  }
}
