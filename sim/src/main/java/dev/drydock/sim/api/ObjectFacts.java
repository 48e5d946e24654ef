package dev.drydock.sim.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import java.time.Clock;
import java.time.temporal.ChronoUnit;

/** Common queries on objects. */
public final class ObjectFacts {
  private ObjectFacts() {}

  public static ObjectKey key(JsonNode object) {
    return new ObjectKey(
        JsonTrees.text(object, "metadata", "namespace"),
        JsonTrees.text(object, "metadata", "name"));
  }

  public static String uid(JsonNode object) {
    return JsonTrees.text(object, "metadata", "uid");
  }

  /** Whether its deletion has begun. */
  public static boolean isDeleted(JsonNode object) {
    return JsonTrees.isPresent(JsonTrees.at(object, "metadata", "deletionTimestamp"));
  }

  public static boolean hasFinalizer(JsonNode object, String finalizer) {
    return JsonTrees.texts(JsonTrees.at(object, "metadata", "finalizers")).contains(finalizer);
  }

  /** A changed copy of the object. */
  public static ObjectNode withoutFinalizer(ObjectNode object, String finalizer) {
    ArrayNode left = JsonTrees.array();
    JsonTrees.texts(JsonTrees.at(object, "metadata", "finalizers")).stream()
        .filter(each -> !each.equals(finalizer))
        .forEach(left::add);
    JsonTrees.metadata(object).set("finalizers", left);
    return object;
  }

  /** The time in the API's format. */
  public static String stamp(Clock clock) {
    return clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
