package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ApiFailure;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.fields.StrategicMergePatch;
import dev.drydock.sim.json.JsonPatch;
import dev.drydock.sim.json.MergePatch;
import dev.drydock.sim.json.PatchRefused;

/** Applies patches of all kinds, in the form of the version that was called. */
final class Patching {
  private Patching() {}

  static ObjectNode apply(ResourceType type, ObjectNode stored, ApiRequest request) {
    ObjectNode object = type.served(stored).deepCopy();
    JsonNode patched;
    try {
      patched =
          switch (request.contentType()) {
            case "application/json-patch+json" -> JsonPatch.apply(object, request.json());
            case "application/merge-patch+json" -> MergePatch.apply(object, request.object());
            case "application/strategic-merge-patch+json" ->
                StrategicMergePatch.apply(
                    object, strategic(type, request), type.rules().schema(type));
            default ->
                throw ApiFailure.unsupportedMediaType(
                    "not a patch that is known: " + request.contentType());
          };
    } catch (PatchRefused e) {
      throw new ApiFailure(422, "Invalid", "the server rejected our request: " + e.getMessage());
    }
    if (patched instanceof ObjectNode result) {
      return result;
    }
    throw ApiFailure.badRequest("the patch leaves no object");
  }

  private static ObjectNode strategic(ResourceType type, ApiRequest request) {
    if (type.rules().isCustom()) {
      throw ApiFailure.unsupportedMediaType(
          "the body of the request was in an unknown format - accepted media types include:"
              + " application/json-patch+json, application/merge-patch+json,"
              + " application/apply-patch+yaml");
    }
    return request.object();
  }
}
