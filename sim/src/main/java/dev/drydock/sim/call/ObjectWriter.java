package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.Registry.Update;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.fields.Ownership;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import java.time.Clock;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts request bodies to stored form and writes them. */
final class ObjectWriter {
  /** How often webhooks are called again because the object changed meanwhile. */
  private static final int ATTEMPTS = 5;

  /** Another client changed the object while webhooks were called. */
  private static final class ChangedMeanwhile extends RuntimeException {}

  private final Registry registry;
  private final Admission admission;
  private final Clock clock;

  ObjectWriter(Registry registry, Admission admission, Clock clock) {
    this.registry = registry;
    this.admission = admission;
    this.clock = clock;
  }

  /** The field manager; a default if the caller names none. */
  Ownership.@Nullable Writer writer(ApiRequest request, Target target) {
    String name = request.fieldManager();
    return name.isEmpty()
        ? null
        : new Ownership.Writer(name, target.subresource(), ObjectFacts.stamp(clock));
  }

  /** Without a writer, the object's managedFields are taken as given. */
  ObjectNode create(
      ApiRequest request, Target target, ObjectNode object, Ownership.@Nullable Writer writer) {
    ResourceType type = target.type();
    AdmissionRequest admissionRequest = new AdmissionRequest(request, target, "CREATE");
    ObjectNode admitted = object;
    if (admission.concerns(admissionRequest)) {
      ObjectNode tried = registry.create(type, target.namespace(), object, true, writer);
      ObjectNode mutated = admission.mutate(admissionRequest, served(type, tried), null);
      admitted = type.rules().stored(mutated);
      ObjectNode last = registry.create(type, target.namespace(), admitted, true, writer);
      admission.validate(admissionRequest, served(type, last), null);
    }
    return registry.create(type, target.namespace(), admitted, request.dryRun(), writer);
  }

  ObjectNode update(ApiRequest request, Target target, Update update) {
    AdmissionRequest admissionRequest = new AdmissionRequest(request, target, "UPDATE");
    if (!admission.concerns(admissionRequest)) {
      return registry.update(target.type(), target.key(), update);
    }
    for (int attempt = 1; ; attempt++) {
      try {
        return updateAdmitted(admissionRequest, update);
      } catch (ChangedMeanwhile e) {
        if (attempt == ATTEMPTS) {
          throw StatusException.conflict(
              target.type(), target.name(), "the object kept changing while webhooks were asked");
        }
      }
    }
  }

  private ObjectNode updateAdmitted(AdmissionRequest admissionRequest, Update update) {
    ResourceType type = admissionRequest.target().type();
    ObjectKey key = admissionRequest.target().key();
    ObjectNode before = registry.require(type, key);
    ObjectNode old = served(type, before);
    ObjectNode tried = registry.update(type, key, update.tried());
    ObjectNode mutated =
        type.rules().stored(admission.mutate(admissionRequest, served(type, tried), old));
    Update admitted = update.with(now -> unlessChanged(before, now, mutated));
    ObjectNode last = registry.update(type, key, admitted.tried());
    admission.validate(admissionRequest, served(type, last), old);
    return registry.update(type, key, admitted);
  }

  private static ObjectNode unlessChanged(ObjectNode before, ObjectNode now, ObjectNode mutated) {
    if (!before.equals(now)) {
      throw new ChangedMeanwhile();
    }
    return mutated.deepCopy();
  }

  private static ObjectNode served(ResourceType type, ObjectNode stored) {
    return type.served(stored).deepCopy();
  }

  /** Calls webhooks for an object that is not stored itself, like an Eviction. */
  ObjectNode admitted(AdmissionRequest admissionRequest, ObjectNode object) {
    if (!admission.concerns(admissionRequest)) {
      return object;
    }
    ObjectNode mutated = admission.mutate(admissionRequest, object, null);
    admission.validate(admissionRequest, mutated, null);
    return mutated;
  }

  void admitDeletion(ApiRequest request, Target target, ObjectNode object) {
    Target one =
        new Target(
            target.type(),
            JsonTrees.text(object, "metadata", "namespace"),
            JsonTrees.text(object, "metadata", "name"),
            "");
    admission.delete(new AdmissionRequest(request, one, "DELETE"), served(target.type(), object));
  }

  /** The object in a request's body, in stored form. */
  static ObjectNode body(ApiRequest request, ResourceType type) {
    ObjectNode object = request.object();
    JsonTrees.putIfAbsent(object, "kind", type.names().kind());
    JsonTrees.putIfAbsent(object, "apiVersion", type.apiVersion());
    if (!JsonTrees.text(object, "kind").equals(type.names().kind())
        || !JsonTrees.text(object, "apiVersion").equals(type.apiVersion())) {
      throw StatusException.badRequest(
          "the object provided is unrecognized: %s in version %s, not %s in version %s"
              .formatted(
                  JsonTrees.text(object, "kind"),
                  JsonTrees.text(object, "apiVersion"),
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
          throw StatusException.badRequest(
              "%1$s in version \"%2$s\" cannot be handled as a %1$s: strict decoding error: "
                      .formatted(type.names().kind(), type.version())
                  + String.join(", ", unknown));
        }
      }
      default ->
          throw StatusException.notAnOption(
              request.optionsKind(),
              "fieldValidation",
              request.parameter("fieldValidation"),
              List.of("Ignore", "Strict", "Warn"));
    }
    return type.rules().stored(served);
  }
}
