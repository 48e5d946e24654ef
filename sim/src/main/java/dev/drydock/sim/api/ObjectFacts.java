package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.Json;
import dev.drydock.sim.store.ObjectKey;
import java.time.Clock;
import java.time.temporal.ChronoUnit;

/** What many ask of an object. */
public final class ObjectFacts {
  private ObjectFacts() {}

  public static ObjectKey key(JsonNode object) {
    return new ObjectKey(
        Json.text(object, "metadata", "namespace"), Json.text(object, "metadata", "name"));
  }

  public static String uid(JsonNode object) {
    return Json.text(object, "metadata", "uid");
  }

  /** Whether its deletion has begun. */
  public static boolean isDeleted(JsonNode object) {
    return Json.isPresent(Json.at(object, "metadata", "deletionTimestamp"));
  }

  public static boolean isReady(JsonNode object) {
    for (JsonNode condition : Json.at(object, "status", "conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True");
      }
    }
    return false;
  }

  public static boolean hasFinalizer(JsonNode object, String finalizer) {
    return Json.texts(Json.at(object, "metadata", "finalizers")).contains(finalizer);
  }

  /** The object, changed. */
  public static ObjectNode withoutFinalizer(ObjectNode object, String finalizer) {
    ArrayNode left = Json.array();
    Json.texts(Json.at(object, "metadata", "finalizers")).stream()
        .filter(each -> !each.equals(finalizer))
        .forEach(left::add);
    Json.metadata(object).set("finalizers", left);
    return object;
  }

  /** The time as objects carry it. */
  public static String stamp(Clock clock) {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
