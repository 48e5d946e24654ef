package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.fields.Schema;
import dev.drydock.sim.fields.StrategicMergePatch;
import dev.drydock.sim.json.JsonPatch;
import dev.drydock.sim.json.MergePatch;
import dev.drydock.sim.json.PatchRefused;
import org.jspecify.annotations.Nullable;

/** Applies patches of all types to an object in the requested version. */
final class Patching {
  private Patching() {}

  static ObjectNode apply(ResourceType type, ObjectNode stored, ApiRequest request) {
    boolean custom = type.rules().isCustom();
    return apply(
        type.served(stored).deepCopy(), request, custom ? null : type.rules().schema(type));
  }

  static ObjectNode scale(ObjectNode scale, ApiRequest request) {
    if (Applying.TYPES.contains(request.contentType())) {
      throw StatusException.notSimulated("server-side apply at " + request.uri().getPath());
    }
    return apply(scale, request, Schema.ofKind("autoscaling", "v1", "Scale"));
  }

  /** Without a schema, strategic merge patches are not supported. */
  private static ObjectNode apply(ObjectNode object, ApiRequest request, @Nullable Schema schema) {
    JsonNode patched;
    try {
      patched =
          switch (request.contentType()) {
            case "application/json-patch+json" -> JsonPatch.apply(object, request.json());
            case "application/merge-patch+json" -> MergePatch.apply(object, request.object());
            case "application/strategic-merge-patch+json" -> {
              if (schema == null) {
                throw StatusException.unsupportedMediaType(
                    "the body of the request was in an unknown format - accepted media types"
                        + " include: application/json-patch+json, application/merge-patch+json,"
                        + " application/apply-patch+yaml");
              }
              yield StrategicMergePatch.apply(object, request.object(), schema);
            }
            default ->
                throw StatusException.unsupportedMediaType(
                    "unknown patch type: " + request.contentType());
          };
    } catch (PatchRefused e) {
      throw new StatusException(
          422, "Invalid", "the server rejected our request: " + e.getMessage());
    }
    if (patched instanceof ObjectNode result) {
      return result;
    }
    throw StatusException.badRequest("the patch removes the object");
  }
}
