package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ApiFailure;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.Registry.Update;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.fields.Ownership;
import dev.drydock.sim.json.Json;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Brings what callers send into the form that is stored, and has it written. */
final class Writes {
  private final Registry registry;
  private final Clock clock;

  Writes(Registry registry, Clock clock) {
    this.registry = registry;
    this.clock = clock;
  }

  Ownership.Writer writer(ApiRequest request, Target target) {
    return new Ownership.Writer(
        request.fieldManager(), target.subresource(), ObjectFacts.stamp(clock));
  }

  /** Without a writer, the object says itself who owns its fields. */
  ObjectNode create(
      ApiRequest request, Target target, ObjectNode object, Ownership.@Nullable Writer writer) {
    return registry.create(target.type(), target.namespace(), object, request.dryRun(), writer);
  }

  ObjectNode update(ApiRequest request, Target target, Update update) {
    return registry.update(target.type(), target.key(), update);
  }

  /** The object in the body of a request, in the stored form. */
  static ObjectNode body(ApiRequest request, ResourceType type) {
    ObjectNode object = request.object();
    Json.putIfAbsent(object, "kind", type.names().kind());
    Json.putIfAbsent(object, "apiVersion", type.apiVersion());
    if (!Json.text(object, "kind").equals(type.names().kind())
        || !Json.text(object, "apiVersion").equals(type.apiVersion())) {
      throw ApiFailure.badRequest(
          "the object provided is unrecognized: %s in version %s, not %s in version %s"
              .formatted(
                  Json.text(object, "kind"),
                  Json.text(object, "apiVersion"),
                  type.names().kind(),
                  type.apiVersion()));
    }
    return stored(request, type, object);
  }

  static ObjectNode stored(ApiRequest request, ResourceType type, ObjectNode served) {
    List<String> unknown =
        type.rules().dropUnknown(served, type).stream()
            .map("unknown field \"%s\""::formatted)
            .toList();
    switch (request.parameter("fieldValidation")) {
      case "Ignore" -> {}
      case "", "Warn" -> unknown.forEach(request::warn);
      case "Strict" -> {
        if (!unknown.isEmpty()) {
          throw ApiFailure.badRequest(
              "%1$s in version \"%2$s\" cannot be handled as a %1$s: strict decoding error: "
                      .formatted(type.names().kind(), type.version())
                  + String.join(", ", unknown));
        }
      }
      default ->
          throw ApiFailure.notAnOption(
              request.optionsKind(),
              "fieldValidation",
              request.parameter("fieldValidation"),
              List.of("Ignore", "Strict", "Warn"));
    }
    return type.rules().stored(served);
  }
}
