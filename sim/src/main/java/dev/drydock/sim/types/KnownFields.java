package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.fields.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Checks an object of a built-in type against its schema. */
final class KnownFields {
  private final ResourceType type;
  private final List<String> unknown = new ArrayList<>();

  private KnownFields(ResourceType type) {
    this.type = type;
  }

  /**
   * Drops unknown fields and returns their names, except empty ones. Refuses values of the wrong
   * type.
   */
  static List<String> dropUnknown(ObjectNode object, ResourceType type, Schema schema) {
    KnownFields known = new KnownFields(type);
    known.check(object, schema, "", type.names().kind());
    return known.unknown;
  }

  /** The struct is the one that contains the value. */
  private void check(JsonNode value, Schema schema, String path, String structure) {
    requireKind(value, schema, path, structure);
    if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        check(value.path(i), schema.element(), path + "[" + i + "]", structure);
      }
    } else if (value instanceof ObjectNode object && schema.isMap()) {
      for (Map.Entry<String, JsonNode> entry : object.properties()) {
        Schema field = schema.field(entry.getKey());
        check(entry.getValue(), field, below(path, entry.getKey()), structure);
      }
    } else if (value instanceof ObjectNode object && schema.isStructure()) {
      checkFields(object, schema, path);
    }
  }

  private void checkFields(ObjectNode object, Schema schema, String path) {
    String structure = schema.name().isEmpty() ? type.names().kind() : schema.name();
    for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
      String name = entry.getKey();
      if (!schema.declares(name)) {
        unknown.add(below(path, name));
        object.remove(name);
      } else if (entry.getValue().isNull()) {
        object.remove(name);
      } else {
        Schema field = schema.field(name);
        check(entry.getValue(), field, below(path, name), structure);
        boolean goesWhenEmpty = entry.getValue().isArray() || field.isMap();
        if (goesWhenEmpty && entry.getValue().isEmpty()) {
          object.remove(name);
        }
      }
    }
  }

  private void requireKind(JsonNode value, Schema schema, String path, String structure) {
    boolean fits =
        switch (schema.kindOfValue()) {
          case "object" -> value.isObject();
          case "array" -> value.isArray();
          case "string" -> value.isTextual();
          case "boolean" -> value.isBoolean();
          case "integer" -> value.isIntegralNumber();
          case "number" -> value.isNumber();
          default -> true;
        };
    if (!fits && !value.isNull()) {
      throw StatusException.badRequest(
          ("%1$s in version \"%2$s\" cannot be handled as a %1$s: json: cannot unmarshal %3$s into"
                  + " Go struct field %4$s.%5$s of type %6$s")
              .formatted(
                  type.names().kind(),
                  type.version(),
                  value.getNodeType().name().toLowerCase(Locale.ROOT).replace("boolean", "bool"),
                  structure,
                  path.replaceAll("\\[\\d+]", ""),
                  goType(schema)));
    }
  }

  private static String goType(Schema schema) {
    String format = schema.property("format").asText();
    return switch (schema.kindOfValue()) {
      case "boolean" -> "bool";
      case "integer" -> format.isEmpty() ? "int" : format;
      case "object" -> schema.isMap() ? "map[string]string" : "v1." + schema.name();
      case "array" -> "[]" + schema.element().name();
      default -> "string";
    };
  }

  private static String below(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
