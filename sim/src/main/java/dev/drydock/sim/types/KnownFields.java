package dev.drydock.sim.types;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.fields.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Holds objects of built-in types against their schema. */
final class KnownFields {
  private KnownFields() {}

  /** Drops fields that the type does not have, and names them. What is empty goes unnamed. */
  static List<String> dropUnknown(ObjectNode object, Schema schema) {
    List<String> unknown = new ArrayList<>();
    drop(object, schema, "", unknown);
    return unknown;
  }

  private static void drop(JsonNode value, Schema schema, String path, List<String> unknown) {
    if (value.isArray()) {
      for (int i = 0; i < value.size(); i++) {
        drop(value.path(i), schema.element(), path + "[" + i + "]", unknown);
      }
    } else if (value instanceof ObjectNode object && schema.isMap()) {
      object
          .properties()
          .forEach(
              entry ->
                  drop(
                      entry.getValue(),
                      schema.field(entry.getKey()),
                      below(path, entry.getKey()),
                      unknown));
    } else if (value instanceof ObjectNode object && schema.isStructure()) {
      dropFields(object, schema, path, unknown);
    }
  }

  private static void dropFields(
      ObjectNode object, Schema schema, String path, List<String> unknown) {
    for (Map.Entry<String, JsonNode> entry : List.copyOf(object.properties())) {
      String name = entry.getKey();
      if (!schema.declares(name)) {
        unknown.add(below(path, name));
        object.remove(name);
      } else if (entry.getValue().isNull()) {
        object.remove(name);
      } else {
        Schema field = schema.field(name);
        drop(entry.getValue(), field, below(path, name), unknown);
        boolean goesWhenEmpty = entry.getValue().isArray() || field.isMap();
        if (goesWhenEmpty && entry.getValue().isEmpty()) {
          object.remove(name);
        }
      }
    }
  }

  private static String below(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }
}
