package dev.drydock.health.resource;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import java.time.Instant;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says on a resource that no controller serves it. Gone as soon as one does. Best effort: a kind
 * without conditions, or one that we may not write, cannot say so.
 */
public final class ServedCondition {
  private static final Logger LOG = LoggerFactory.getLogger(ServedCondition.class);

  public static final String TYPE = "Served";
  public static final String REASON = "WaitingForController";

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

  public static void write(
      KubeHttp http, Resource resource, ApiObject object, boolean served, Instant now) {
    ArrayNode conditions = served ? without(object) : with(object, resource, now);
    if (served && object.conditions().get(TYPE).isEmpty()) {
      return;
    }
    try {
      var _ =
          Patch.ifUnchanged(resource, object)
              .status(status -> status.set("conditions", conditions))
              .send(http);
    } catch (ApiFailure refused) {
      LOG.debug("condition {} of {} {}: {}", TYPE, resource.kind(), object, refused.getMessage());
    }
  }

  private static ArrayNode with(ApiObject object, Resource resource, Instant now) {
    return object
        .conditions()
        .with(
            Conditions.Condition.of(
                TYPE,
                false,
                REASON,
                "no controller of %s has taken notice of it; install one"
                    .formatted(resource.kind())),
            now);
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
