package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One validation error of an object. */
public record Cause(String reason, String field, String message) {
  public static Cause required(String field) {
    return new Cause("FieldValueRequired", field, "Required value");
  }

  public static Cause invalid(String field, String message) {
    return new Cause("FieldValueInvalid", field, "Invalid value: " + message);
  }

  public static Cause forbidden(String field, String message) {
    return new Cause("FieldValueForbidden", field, "Forbidden: " + message);
  }

  public static Cause duplicate(String field, String value) {
    return new Cause("FieldValueDuplicate", field, "Duplicate value: " + value);
  }

  public static Cause unsupported(String field, String value, String... supported) {
    String all = Stream.of(supported).map("\"%s\""::formatted).collect(Collectors.joining(", "));
    return new Cause(
        "FieldValueNotSupported",
        field,
        "Unsupported value: \"%s\": supported values: %s".formatted(value, all));
  }

  ObjectNode json() {
    ObjectNode cause = JsonTrees.object().put("reason", reason).put("message", message);
    return field.isEmpty() ? cause : cause.put("field", field);
  }
}
