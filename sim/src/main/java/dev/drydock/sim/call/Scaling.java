package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.Registry.Update;
import dev.drydock.sim.api.ScalePaths;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.LabelSelectors;

/** The scale subresource. */
final class Scaling {
  private final Registry registry;
  private final ObjectWriter writer;

  Scaling(Registry registry, ObjectWriter writer) {
    this.registry = registry;
    this.writer = writer;
  }

  ApiResponse answer(String verb, ApiRequest request, Target target, ScalePaths paths) {
    return ApiResponse.Whole.of(
        200,
        switch (verb) {
          case "get" -> scaleOf(registry.require(target.type(), target.key()), paths);
          case "update" -> write(request, target, paths);
          case "patch" -> write(request, target, paths);
          default -> throw StatusException.methodNotAllowed();
        });
  }

  private ObjectNode write(ApiRequest request, Target target, ScalePaths paths) {
    Update update =
        new Update(
            before -> scaled(before, request, target, paths),
            false,
            request.dryRun(),
            writer.writer(request, target));
    return scaleOf(writer.update(request, target, update), paths);
  }

  private static ObjectNode scaled(
      ObjectNode object, ApiRequest request, Target target, ScalePaths paths) {
    ObjectNode scale = scaleOf(object, paths);
    ObjectNode wanted =
        request.method().equals("PUT") ? request.object() : Patching.scale(scale, request);
    String version = JsonTrees.text(wanted, "metadata", "resourceVersion");
    if (!version.isEmpty()
        && !version.equals(JsonTrees.text(scale, "metadata", "resourceVersion"))) {
      throw StatusException.conflict(
          target.type(),
          target.name(),
          "the object has been modified; please apply your changes to the latest version and try"
              + " again");
    }
    paths.setReplicas(object, JsonTrees.at(wanted, "spec", "replicas").asInt());
    return object;
  }

  private static ObjectNode scaleOf(ObjectNode object, ScalePaths paths) {
    ObjectNode scale = JsonTrees.object().put("kind", "Scale").put("apiVersion", "autoscaling/v1");
    ObjectNode metadata = scale.putObject("metadata");
    for (String field :
        new String[] {"name", "namespace", "uid", "resourceVersion", "creationTimestamp"}) {
      JsonTrees.copy(metadata, field, JsonTrees.at(object, "metadata", field));
    }
    ObjectNode spec = scale.putObject("spec");
    JsonNode wanted = paths.spec(object);
    if (wanted.asInt() != 0) {
      spec.put("replicas", wanted.asInt());
    }
    ObjectNode status = scale.putObject("status").put("replicas", paths.status(object).asInt());
    JsonNode selector = paths.selector(object);
    String text =
        selector.isTextual()
            ? selector.asText()
            : LabelSelectors.text(LabelSelectors.ofAny(selector));
    if (!text.isEmpty()) {
      status.put("selector", text);
    }
    return scale;
  }
}
