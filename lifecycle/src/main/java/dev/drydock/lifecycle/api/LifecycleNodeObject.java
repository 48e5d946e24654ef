package dev.drydock.lifecycle.api;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.VersionedObject;
import java.util.Map;

/**
 * A Node as far as its transitions are concerned.
 *
 * @param conditions of the node
 */
public record LifecycleNodeObject(ApiObject object, Conditions conditions)
    implements VersionedObject {
  public static LifecycleNodeObject read(JsonNode node) {
    ApiObject object = ApiObject.of(node);
    return new LifecycleNodeObject(object, object.conditions());
  }

  public String name() {
    return object.name();
  }

  public Map<String, String> labels() {
    return object.labels();
  }

  public boolean unschedulable() {
    return object.spec().path("unschedulable").asBoolean(false);
  }

  /** The state of its transition, from its condition. */
  public String reason() {
    return conditions
        .get(LifecycleNames.CONDITION)
        .map(condition -> text(condition, "reason"))
        .orElse("");
  }

  /** The annotation that keeps how its last events ended. */
  public String history() {
    return object.annotations().getOrDefault(LifecycleNames.HISTORY, "");
  }
}
