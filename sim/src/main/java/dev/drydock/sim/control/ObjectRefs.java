package dev.drydock.sim.control;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import org.jspecify.annotations.Nullable;

/** Owner references from objects to their controllers. */
public final class ObjectRefs {
  private ObjectRefs() {}

  public static @Nullable JsonNode controllerOf(JsonNode object) {
    for (JsonNode reference : JsonTrees.at(object, "metadata", "ownerReferences")) {
      if (reference.path("controller").asBoolean()) {
        return reference;
      }
    }
    return null;
  }

  /** The key of an object's controller, if it is of this kind. */
  public static @Nullable ObjectKey controllerOf(JsonNode object, String kind) {
    JsonNode reference = controllerOf(object);
    return reference == null || !JsonTrees.text(reference, "kind").equals(kind)
        ? null
        : new ObjectKey(
            JsonTrees.text(object, "metadata", "namespace"), JsonTrees.text(reference, "name"));
  }

  public static ObjectNode toController(JsonNode owner) {
    return JsonTrees.object()
        .put("apiVersion", JsonTrees.text(owner, "apiVersion"))
        .put("kind", JsonTrees.text(owner, "kind"))
        .put("name", JsonTrees.text(owner, "metadata", "name"))
        .put("uid", ObjectFacts.uid(owner))
        .put("controller", true)
        .put("blockOwnerDeletion", true);
  }
}
