package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.Registry.Update;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.fields.OwnedByOthers;
import dev.drydock.sim.fields.OwnedByOthers.Conflict;
import dev.drydock.sim.fields.Ownership;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.json.PatchRefused;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Server-side apply. */
final class Applying {
  static final List<String> TYPES =
      List.of("application/apply-patch+yaml", "application/apply-patch+cbor");

  private final Registry registry;
  private final ObjectWriter objectWriter;

  Applying(Registry registry, ObjectWriter objectWriter) {
    this.registry = registry;
    this.objectWriter = objectWriter;
  }

  ApiResponse apply(ApiRequest request, Target target) {
    if (request.parameter("fieldManager").isEmpty()) {
      throw StatusException.invalidOption(
          "PatchOptions",
          new Cause(
              "FieldValueRequired", "fieldManager", "Required value: is required for apply patch"));
    }
    ObjectNode wanted = configuration(request, target);
    boolean isNew = registry.store().get(target.type().resource(), target.key()) == null;
    ObjectNode object = isNew ? create(request, target, wanted) : update(request, target, wanted);
    return ApiResponse.Whole.of(isNew ? 201 : 200, target.type().served(object));
  }

  private ObjectNode create(ApiRequest request, Target target, ObjectNode wanted) {
    ResourceType type = target.type();
    if (!target.subresource().isEmpty()) {
      throw StatusException.notFound(type, target.name());
    }
    String uid = JsonTrees.text(wanted, "metadata", "uid");
    if (!uid.isEmpty()) {
      throw StatusException.conflict(
          type,
          target.name(),
          "uid mismatch: the provided object specified uid %s, and no existing object was found"
              .formatted(uid));
    }
    ObjectNode object = applied(null, request, target, wanted);
    return objectWriter.create(request, target, object, null);
  }

  private ObjectNode update(ApiRequest request, Target target, ObjectNode wanted) {
    return objectWriter.update(
        request,
        target,
        new Update(
            before -> applied(before, request, target, wanted),
            target.subresource().equals("status"),
            request.dryRun(),
            null));
  }

  private ObjectNode applied(
      @Nullable ObjectNode before, ApiRequest request, Target target, ObjectNode wanted) {
    Ownership.Form form = target.type().form(target.subresource().equals("status"));
    Ownership.Writer writer = Objects.requireNonNull(objectWriter.writer(request, target));
    boolean kubectl = writer.name().equals("kubectl");
    try {
      ObjectNode merged = Ownership.applied(before, wanted, form, writer, request.isSet("force"));
      return kubectl ? LastApplied.renewed(merged, wanted) : merged;
    } catch (OwnedByOthers e) {
      if (before == null || !kubectl || !LastApplied.covers(before, form, e.conflicts())) {
        throw conflict(e.conflicts());
      }
      return LastApplied.renewed(Ownership.applied(before, wanted, form, writer, true), wanted);
    } catch (PatchRefused e) {
      throw StatusException.unexplained(notTyped(target, e.getMessage()));
    }
  }

  /** Parses the applied configuration into stored form. */
  private static ObjectNode configuration(ApiRequest request, Target target) {
    ObjectNode wanted = request.object();
    ResourceType type = target.type();
    if (!JsonTrees.text(wanted, "apiVersion").equals(type.apiVersion())
        || !JsonTrees.text(wanted, "kind").equals(type.names().kind())) {
      String version = JsonTrees.text(wanted, "apiVersion");
      throw StatusException.badRequest(
          "invalid object type: %s, Kind=%s"
              .formatted(
                  version.contains("/") ? version : "/" + version, JsonTrees.text(wanted, "kind")));
    }
    ObjectNode metadata = JsonTrees.metadata(wanted);
    JsonTrees.putIfAbsent(metadata, "name", target.name());
    if (!JsonTrees.text(metadata, "name").equals(target.name())) {
      throw StatusException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(JsonTrees.text(metadata, "name"), target.name()));
    }
    if (metadata.has("managedFields")) {
      throw StatusException.badRequest("metadata.managedFields must be nil");
    }
    if (type.namespaced()) {
      JsonTrees.putIfAbsent(metadata, "namespace", target.namespace());
    }
    List<String> unknown = type.rules().dropUnknown(wanted, type);
    if (!unknown.isEmpty()) {
      throw StatusException.unexplained(
          notTyped(target, "." + unknown.getFirst() + ": field not declared in schema"));
    }
    return type.rules().stored(wanted);
  }

  private static String notTyped(Target target, @Nullable String why) {
    ResourceType type = target.type();
    return "failed to create typed patch object (%s/%s; %s/%s, Kind=%s): %s"
        .formatted(
            target.namespace(),
            target.name(),
            type.group(),
            type.version(),
            type.names().kind(),
            why);
  }

  private static StatusException conflict(List<Conflict> conflicts) {
    List<Cause> causes =
        conflicts.stream()
            .map(
                each ->
                    new Cause(
                        "FieldManagerConflict", each.field(), "conflict with " + each.owner()))
            .toList();
    return new StatusException(409, "Conflict", told(conflicts)).because(causes);
  }

  private static String told(List<Conflict> conflicts) {
    if (conflicts.size() == 1) {
      Conflict only = conflicts.getFirst();
      return "Apply failed with 1 conflict: conflict with %s: %s"
          .formatted(only.owner(), only.field());
    }
    Map<String, StringBuilder> byOwner = new LinkedHashMap<>();
    for (Conflict each : conflicts) {
      byOwner
          .computeIfAbsent(
              each.owner(), owner -> new StringBuilder("conflicts with " + owner + ":"))
          .append("\n- ")
          .append(each.field());
    }
    return "Apply failed with %d conflicts: %s"
        .formatted(conflicts.size(), String.join("\n", byOwner.values()));
  }
}
