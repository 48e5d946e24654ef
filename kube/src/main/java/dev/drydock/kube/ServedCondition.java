package dev.drydock.kube;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.time.Instant;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says on a resource that no controller serves it. Gone as soon as one does. Best effort: a kind
 * without conditions, or one that we may not write, cannot say so.
 */
public final class ServedCondition {
  private static final Logger LOG = LoggerFactory.getLogger(ServedCondition.class);

  public static final String TYPE = "Served";

  /**
   * What a resource waits for.
   *
   * @param reason of the condition
   * @param message for people
   */
  public record Waiting(String reason, String message) {
    /** For any controller of its kind. */
    public static Waiting forController(Resource resource) {
      return new Waiting(
          "WaitingForController",
          "no controller of %s has taken notice of it; install one".formatted(resource.kind()));
    }

    /** Whether the resource says this already. */
    public boolean isSaid(ApiObject object) {
      return object
          .conditions()
          .get(TYPE)
          .filter(said -> text(said, "reason").equals(reason))
          .filter(said -> text(said, "message").equals(message))
          .isPresent();
    }
  }

  private ServedCondition() {}

  /** Whether somebody has taken notice of it: a finalizer, or anything in its status. */
  public static boolean isServed(ApiObject object) {
    boolean condition =
        object.conditions().all().stream().anyMatch(each -> !text(each, "type").equals(TYPE));
    boolean other =
        object
            .status()
            .propertyStream()
            .anyMatch(
                field ->
                    !field.getKey().equals("conditions")
                        && !field.getValue().asText("x").isEmpty());
    return condition || other || !object.finalizers().isEmpty();
  }

  /**
   * Writes the condition, or removes it.
   *
   * @param waiting empty if somebody serves the resource
   * @return the resource afterwards; empty if nothing was written
   */
  public static Optional<JsonNode> write(
      KubeHttp http, Resource resource, ApiObject object, Optional<Waiting> waiting, Instant now) {
    boolean there = object.conditions().get(TYPE).isPresent();
    if (waiting.isEmpty() && !there) {
      return Optional.empty();
    }
    ArrayNode conditions =
        waiting.map(what -> with(object, what, now)).orElseGet(() -> without(object));
    try {
      return Optional.of(
          Patch.ifUnchanged(resource, object)
              .status(status -> status.set("conditions", conditions))
              .send(http));
    } catch (ApiFailure refused) {
      LOG.debug("condition {} of {} {}: {}", TYPE, resource.kind(), object, refused.getMessage());
      return Optional.empty();
    }
  }

  private static ArrayNode with(ApiObject object, Waiting waiting, Instant now) {
    return object
        .conditions()
        .with(Conditions.Condition.of(TYPE, false, waiting.reason(), waiting.message()), now);
  }

  private static ArrayNode without(ApiObject object) {
    ArrayNode others = Json.array();
    for (JsonNode condition : object.conditions().all()) {
      if (!text(condition, "type").equals(TYPE)) {
        others.add(condition);
      }
    }
    return others;
  }
}
