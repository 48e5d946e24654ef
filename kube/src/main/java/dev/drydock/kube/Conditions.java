package dev.drydock.kube;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All conditions of an object, including those of other writers. Following the API conventions,
 * lastTransitionTime changes only when the status changes.
 */
public record Conditions(List<JsonNode> all) {
  public static final String TRUE = "True";
  public static final String FALSE = "False";

  /** The desired status, reason and message of a condition. */
  public record Condition(String type, String status, String reason, String message) {
    public static Condition of(String type, boolean value, String reason, String message) {
      return new Condition(type, value ? TRUE : FALSE, reason, message);
    }
  }

  public static Conditions of(JsonNode status) {
    List<JsonNode> all = new ArrayList<>();
    status.path("conditions").forEach(all::add);
    return new Conditions(List.copyOf(all));
  }

  public Optional<JsonNode> get(String type) {
    return all.stream().filter(each -> text(each, "type").equals(type)).findFirst();
  }

  /** A condition of this type with this status, in any case of letters. */
  public Optional<JsonNode> get(String type, String status) {
    return all.stream()
        .filter(each -> text(each, "type").equals(type))
        .filter(each -> text(each, "status").equalsIgnoreCase(status))
        .findFirst();
  }

  public boolean isTrue(String type) {
    return get(type).filter(each -> text(each, "status").equals(TRUE)).isPresent();
  }

  /** Whether the condition has this status, reason and message already. */
  public boolean says(Condition condition) {
    return get(condition.type())
        .filter(each -> text(each, "status").equals(condition.status()))
        .filter(each -> text(each, "reason").equals(condition.reason()))
        .filter(each -> text(each, "message").equals(condition.message()))
        .isPresent();
  }

  /** The condition as it is written, with its lastTransitionTime. */
  public ObjectNode entry(Condition condition, Instant now) {
    String since =
        get(condition.type())
            .filter(before -> text(before, "status").equals(condition.status()))
            .map(before -> text(before, "lastTransitionTime"))
            .filter(before -> !before.isEmpty())
            .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
    return Json.object()
        .put("type", condition.type())
        .put("status", condition.status())
        .put("reason", condition.reason())
        .put("message", condition.message())
        .put("lastTransitionTime", since);
  }

  /** All conditions with this one updated; the others unchanged. */
  public ArrayNode with(Condition condition, Instant now) {
    return with(entry(condition, now));
  }

  /** All conditions with these updated for a generation of the spec; the others unchanged. */
  public ArrayNode with(List<Condition> conditions, long generation, Instant now) {
    ArrayNode changed = Json.array().addAll(all);
    for (Condition each : conditions) {
      ObjectNode entry = entry(each, now).put("observedGeneration", generation);
      changed = new Conditions(changed.valueStream().toList()).with(entry);
    }
    return changed;
  }

  /** All conditions with this one replaced as given; the others unchanged and in order. */
  public ArrayNode with(ObjectNode entry) {
    ArrayNode changed = Json.array();
    boolean replaced = false;
    for (JsonNode each : all) {
      boolean same = text(each, "type").equals(text(entry, "type"));
      changed.add(same ? entry : each);
      replaced |= same;
    }
    if (!replaced) {
      changed.add(entry);
    }
    return changed;
  }
}
