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
 * An object of any kind that requests some work. Another controller does the work and reports its
 * completion in a condition.
 *
 * @param apiVersions the API versions of the kind; the first that the cluster serves is used
 * @param namespace ignored for cluster-scoped kinds
 * @param body with metadata and spec; without apiVersion
 * @param completion how its completion is recognized
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
   * How completion and permanent failure are recognized.
   *
   * @param condition is set on completion; empty if the kind has no such condition
   * @param status that the condition has then, in any case of letters
   * @param failures reasons that are final: the condition will not be set by itself
   * @param failure another condition that says so; empty if the kind has none
   * @param failureStatus that the other condition has then
   */
  public record Completion(
      String condition, String status, Set<String> failures, String failure, String failureStatus) {
    public Completion {
      failures = Set.copyOf(failures);
    }

    /** Completion is a condition that is True, and failure one of its reasons. */
    public Completion(String condition, Set<String> failures) {
      this(condition, Conditions.TRUE, failures, "", "");
    }

    /** No completion condition: the caller interprets the object. */
    public static final Completion UNKNOWN = new Completion("", Set.of());
  }

  /** The progress of the work. */
  public sealed interface Progress {
    /**
     * Not known now.
     *
     * @param why empty while the first list is pending
     */
    record Unknown(String why) implements Progress {}

    /** It does not exist. */
    record Absent() implements Progress {}

    /**
     * It is in progress, or not started.
     *
     * @param reason of its condition; empty if that is not set
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

  /** The progress that the object reports. */
  public Progress read(ApiObject object) {
    Optional<JsonNode> failed =
        object.conditions().get(completion.failure(), completion.failureStatus());
    if (failed.isPresent()) {
      return new Progress.Failed(
          object, text(failed.get(), "reason"), text(failed.get(), "message"));
    }
    if (object.conditions().get(completion.condition(), completion.status()).isPresent()) {
      return new Progress.Complete(object);
    }
    Optional<JsonNode> condition = object.conditions().get(completion.condition());
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

  /** Replaces names by values, e.g. that of {@code node} for {@code ${node}}. */
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
