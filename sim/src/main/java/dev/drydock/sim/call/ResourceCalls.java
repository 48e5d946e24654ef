package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ApiFailure;
import dev.drydock.sim.api.DeleteOptions;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.Registry.Deleted;
import dev.drydock.sim.api.Registry.Update;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.Status;
import dev.drydock.sim.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Calls to resources, by verb. */
final class ResourceCalls {
  private final Registry registry;
  private final Listing listing;
  private final PodCalls podCalls;

  ResourceCalls(Registry registry, PodCalls podCalls) {
    this.registry = registry;
    this.listing = new Listing(registry.store());
    this.podCalls = podCalls;
  }

  ApiAnswer answer(String verb, ApiRequest request, Target target) {
    requireSubresource(request, target);
    return switch (verb) {
      case "get" -> ApiAnswer.Whole.of(200, get(target));
      case "list" -> ApiAnswer.Whole.of(200, listing.list(request, target));
      case "watch" -> new ApiAnswer.Stream(new Watching(registry.store(), request, target));
      case "create" -> create(request, target);
      case "update" -> ApiAnswer.Whole.of(200, update(request, target));
      case "patch" -> ApiAnswer.Whole.of(200, patch(request, target));
      case "delete" -> delete(request, target);
      case "deletecollection" -> ApiAnswer.Whole.of(200, deleteCollection(request, target));
      default -> throw ApiFailure.methodNotAllowed();
    };
  }

  private static void requireSubresource(ApiRequest request, Target target) {
    boolean known =
        switch (target.subresource()) {
          case "" -> true;
          case "status" -> target.type().rules().hasStatus();
          case "eviction", "binding" ->
              target.type().resource().equals("pods.") && request.method().equals("POST");
          default -> false;
        };
    if (!known) {
      boolean nowhere = target.type().rules().isCustom() || target.subresource().equals("status");
      throw nowhere
          ? ApiFailure.noSuchResource()
          : ApiFailure.notSimulated(request.method() + " " + request.uri().getPath());
    }
  }

  private ObjectNode get(Target target) {
    return target.type().served(registry.require(target.type(), target.key()));
  }

  private ApiAnswer create(ApiRequest request, Target target) {
    return switch (target.subresource()) {
      case "eviction" -> ApiAnswer.Whole.of(201, podCalls.evict(request, target));
      case "binding" -> ApiAnswer.Whole.of(201, podCalls.bind(request, target));
      case "" -> {
        if (target.type().namespaced() && target.namespace().isEmpty()) {
          throw ApiFailure.methodNotAllowed();
        }
        ObjectNode created =
            registry.create(
                target.type(), target.namespace(), body(request, target.type()), request.dryRun());
        yield ApiAnswer.Whole.of(201, target.type().served(created));
      }
      default -> throw ApiFailure.methodNotAllowed();
    };
  }

  private static ObjectNode body(ApiRequest request, ResourceType type) {
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

  private static ObjectNode stored(ApiRequest request, ResourceType type, ObjectNode served) {
    List<String> unknown = type.rules().dropUnknown(served, type);
    if (!unknown.isEmpty() && request.parameter("fieldValidation").equals("Strict")) {
      throw ApiFailure.badRequest(
          "%1$s in version \"%2$s\" cannot be handled as a %1$s: strict decoding error: "
                  .formatted(type.names().kind(), type.version())
              + String.join(
                  ", ", unknown.stream().map("unknown field \"%s\""::formatted).toList()));
    }
    return type.rules().stored(served);
  }

  private ObjectNode update(ApiRequest request, Target target) {
    ObjectNode written = body(request, target.type());
    String name = Json.text(written, "metadata", "name");
    if (!name.equals(target.name())) {
      throw ApiFailure.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(name, target.name()));
    }
    return write(request, target, before -> sameObject(target, written, before));
  }

  /** Who replaces an object by another one's successor is told so, instead of by its fields. */
  private static ObjectNode sameObject(Target target, ObjectNode written, ObjectNode before) {
    String uid = Json.text(written, "metadata", "uid");
    String actual = Json.text(before, "metadata", "uid");
    if (!uid.isEmpty() && !uid.equals(actual)) {
      throw ApiFailure.conflict(
          target.type(),
          target.name(),
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(uid, actual));
    }
    return written;
  }

  private ObjectNode patch(ApiRequest request, Target target) {
    ResourceType type = target.type();
    return write(
        request, target, before -> stored(request, type, Patching.apply(type, before, request)));
  }

  private ObjectNode write(ApiRequest request, Target target, UnaryOperator<ObjectNode> change) {
    Update update = new Update(change, target.subresource().equals("status"), request.dryRun());
    return target.type().served(registry.update(target.type(), target.key(), update));
  }

  private ApiAnswer delete(ApiRequest request, Target target) {
    podCalls.requireOwnPod(request, target, "delete");
    Deleted deleted = registry.delete(target.type(), target.key(), options(request));
    boolean showsObject = !deleted.gone() || target.type().resource().equals("pods.");
    return ApiAnswer.Whole.of(
        200,
        showsObject ? target.type().served(deleted.object()) : success(target, deleted.object()));
  }

  private static ObjectNode success(Target target, JsonNode object) {
    ObjectNode status = Status.success(200);
    status.remove("code");
    ObjectNode details = status.putObject("details").put("name", target.name());
    if (!target.type().group().isEmpty()) {
      details.put("group", target.type().group());
    }
    details.put("kind", target.type().names().plural());
    details.put("uid", Json.text(object, "metadata", "uid"));
    return status;
  }

  private static DeleteOptions options(ApiRequest request) {
    ObjectNode options = request.body().isEmpty() ? Json.object() : request.object();
    for (String parameter : List.of("gracePeriodSeconds", "propagationPolicy")) {
      if (!request.parameter(parameter).isEmpty()) {
        options.put(parameter, request.parameter(parameter));
      }
    }
    return DeleteOptions.of(options).withDryRun(request.dryRun());
  }

  private ObjectNode deleteCollection(ApiRequest request, Target target) {
    Selection selection = Selection.of(request, target);
    DeleteOptions options = options(request);
    return registry
        .store()
        .write(
            () -> {
              List<ObjectNode> deleted = new ArrayList<>();
              for (ObjectNode object :
                  registry
                      .store()
                      .list(target.type().resource(), Listing.namespace(target))
                      .objects()) {
                if (selection.matches(object)) {
                  deleted.add(
                      registry.delete(target.type(), ObjectFacts.key(object), options).object());
                }
              }
              return Listing.listOf(target.type(), deleted, registry.store().version());
            });
  }
}
