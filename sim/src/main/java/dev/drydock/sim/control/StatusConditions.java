package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import org.jspecify.annotations.Nullable;

/** Reads and writes status conditions. */
public final class StatusConditions {
  private StatusConditions() {}

  /** The status and reason to set; the message may be empty. */
  public record Condition(String type, String status, String reason, String message) {
    public static Condition yes(String type, String reason, String message) {
      return new Condition(type, "True", reason, message);
    }

    public static Condition no(String type, String reason, String message) {
      return new Condition(type, "False", reason, message);
    }
  }

  public static @Nullable JsonNode find(JsonNode object, String type) {
    for (JsonNode condition : JsonTrees.at(object, "status", "conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return null;
  }

  /** True, False, Unknown, or empty if the condition is absent. */
  public static String status(JsonNode object, String type) {
    JsonNode condition = find(object, type);
    return condition == null ? "" : condition.path("status").asText();
  }

  /** The object's status with this condition set. */
  public static ObjectNode statusWith(JsonNode object, Condition condition, String now) {
    ObjectNode status = ControllerClient.shallow(object.path("status"));
    status.set("conditions", with(status.path("conditions"), condition, now));
    return status;
  }

  /** The conditions with this one set; lastTransitionTime changes only with the status. */
  public static ArrayNode with(JsonNode conditions, Condition condition, String now) {
    ArrayNode changed = JsonTrees.array();
    boolean found = false;
    for (JsonNode each : conditions) {
      if (each.path("type").asText().equals(condition.type())) {
        found = true;
        changed.add(renewed(each, condition, now));
      } else {
        changed.add(each);
      }
    }
    if (!found) {
      changed.add(renewed(JsonTrees.object(), condition, now));
    }
    return changed;
  }

  private static ObjectNode renewed(JsonNode before, Condition condition, String now) {
    ObjectNode renewed = ControllerClient.shallow(before).put("type", condition.type());
    if (!before.path("status").asText().equals(condition.status())) {
      renewed.put("lastTransitionTime", now);
    }
    renewed.put("status", condition.status());
    putUnlessEmpty(renewed, "reason", condition.reason());
    putUnlessEmpty(renewed, "message", condition.message());
    return renewed;
  }

  private static void putUnlessEmpty(ObjectNode target, String field, String text) {
    if (text.isEmpty()) {
      target.remove(field);
    } else {
      target.put(field, text);
    }
  }
}
