package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.Json;

/** One of the things that are wrong with an object. */
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

  ObjectNode json() {
    ObjectNode cause = Json.object().put("reason", reason).put("message", message);
    return field.isEmpty() ? cause : cause.put("field", field);
  }
}
