package dev.drydock.sim.table;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.time.Instant;

/** A table column. Columns of priority 1 are shown only with {@code -o wide}. */
record Column(String name, String type, String format, int priority, Cell cell) {
  /** The value of an object's cell at a given time. */
  interface Cell {
    JsonNode of(JsonNode object, Instant now);
  }

  /** The value of an object's cell, independent of the time. */
  interface Text {
    String of(JsonNode object);
  }

  private static final String NONE = "<none>";

  static final Column NAME =
      new Column("Name", "string", "name", 0, (object, _) -> at(object, "metadata", "name"));
  static final Column AGE =
      new Column(
          "Age",
          "string",
          "",
          0,
          (object, now) -> text(AgeColumn.since(at(object, "metadata", "creationTimestamp"), now)));

  /** For types without defined columns. */
  static final Column CREATED_AT =
      new Column(
          "Created At", "date", "", 0, (object, _) -> at(object, "metadata", "creationTimestamp"));

  static Column of(String name, Text text) {
    return new Column(name, "string", "", 0, (object, _) -> text(text.of(object)));
  }

  static Column at(String name, String path) {
    return of(name, object -> JsonTrees.text(object, path.split("\\.")));
  }

  static Column number(String name, String path) {
    String[] steps = path.split("\\.");
    return new Column(
        name,
        "integer",
        "",
        0,
        (object, _) -> JsonNodeFactory.instance.numberNode(JsonTrees.at(object, steps).asLong()));
  }

  static Column flag(String name, String field) {
    return new Column(
        name,
        "boolean",
        "",
        0,
        (object, _) -> JsonNodeFactory.instance.booleanNode(object.path(field).asBoolean()));
  }

  Column wide() {
    return new Column(name, type, format, 1, cell);
  }

  /** Shows empty values as such. */
  Column orNone() {
    return or(NONE);
  }

  Column or(String substitute) {
    return new Column(
        name,
        type,
        format,
        priority,
        (object, now) -> {
          JsonNode shown = cell.of(object, now);
          return shown.asText().isEmpty() ? text(substitute) : shown;
        });
  }

  static JsonNode text(String text) {
    return JsonNodeFactory.instance.textNode(text);
  }

  private static JsonNode at(JsonNode object, String... path) {
    return JsonTrees.at(object, path);
  }

  ObjectNode definition() {
    return JsonTrees.object()
        .put("name", name)
        .put("type", type)
        .put("format", format)
        .put("description", name)
        .put("priority", priority);
  }
}
