package dev.drydock.kube;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * An object of any kind that is created to have something done by whoever serves it, and that tells
 * by a condition when it is done.
 *
 * @param apiVersions those that have the kind; the first that the cluster serves is used
 * @param namespace of no use for a kind without
 * @param body with metadata and spec; without apiVersion
 * @param completion how to tell that it is done
 */
public record CompletionObject(
    List<String> apiVersions,
    String kind,
    String namespace,
    ObjectNode body,
    Completion completion) {
  public CompletionObject {
    apiVersions = List.copyOf(apiVersions);
  }

  /**
   * When it is done, and when it will never be.
   *
   * @param condition True when it is done; empty for a kind that tells otherwise
   * @param failures reasons with which the condition will not become True by itself
   */
  public record Completion(String condition, Set<String> failures) {
    public Completion {
      failures = Set.copyOf(failures);
    }

    /** The object's own words must be read for each kind. */
    public static final Completion UNKNOWN = new Completion("", Set.of());
  }

  /** How far it is. */
  public sealed interface Progress {
    /**
     * Nobody knows at present.
     *
     * @param why empty in the first moment
     */
    record Unknown(String why) implements Progress {}

    /** It does not exist. */
    record Absent() implements Progress {}

    /**
     * It is under way, or not begun.
     *
     * @param reason of its condition; empty if nobody has set that
     */
    record Pending(ApiObject object, String reason) implements Progress {}

    /** It will not be done. */
    record Failed(ApiObject object, String reason, String message) implements Progress {}

    /** It is done. */
    record Complete(ApiObject object) implements Progress {}
  }

  public String name() {
    return text(body.path("metadata"), "name");
  }

  /** How far it is, by the object as it stands. */
  public Progress read(ApiObject object) {
    Optional<JsonNode> condition = object.conditions().get(completion.condition());
    if (object.conditions().isTrue(completion.condition())) {
      return new Progress.Complete(object);
    }
    String reason = condition.map(each -> text(each, "reason")).orElse("");
    return completion.failures().contains(reason)
        ? new Progress.Failed(object, reason, text(condition.orElseThrow(), "message"))
        : new Progress.Pending(object, reason);
  }

  /** A copy in which placeholders such as {@code ${node}} are replaced in all texts. */
  public static JsonNode fill(JsonNode template, Map<String, String> values) {
    if (template.isObject()) {
      ObjectNode filled = Json.object();
      template
          .properties()
          .forEach(field -> filled.set(field.getKey(), fill(field.getValue(), values)));
      return filled;
    }
    if (template.isArray()) {
      ArrayNode filled = Json.array();
      template.forEach(element -> filled.add(fill(element, values)));
      return filled;
    }
    return template.isTextual()
        ? Json.array().add(fill(template.asText(), values)).get(0)
        : template;
  }

  /** By name, e.g. {@code node} for {@code ${node}}. */
  public static String fill(String text, Map<String, String> values) {
    String filled = text;
    for (Map.Entry<String, String> value : values.entrySet()) {
      filled = filled.replace("${" + value.getKey() + "}", value.getValue());
    }
    return filled;
  }

  @Override
  public String toString() {
    return kind + " " + name();
  }
}
