package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.Json;
import dev.drydock.sim.store.ObjectKey;

/** What controllers ask of any object. */
final class Objects {
  private Objects() {}

  static ObjectKey key(JsonNode object) {
    return new ObjectKey(
        Json.text(object, "metadata", "namespace"), Json.text(object, "metadata", "name"));
  }

  static String uid(JsonNode object) {
    return Json.text(object, "metadata", "uid");
  }

  static boolean isDeleted(JsonNode object) {
    return Json.isPresent(Json.at(object, "metadata", "deletionTimestamp"));
  }

  static boolean hasFinalizer(JsonNode object, String finalizer) {
    return Json.texts(Json.at(object, "metadata", "finalizers")).contains(finalizer);
  }

  /** The object, changed. */
  static ObjectNode withoutFinalizer(ObjectNode object, String finalizer) {
    ArrayNode left = Json.array();
    Json.texts(Json.at(object, "metadata", "finalizers")).stream()
        .filter(each -> !each.equals(finalizer))
        .forEach(left::add);
    Json.metadata(object).set("finalizers", left);
    return object;
  }
}
