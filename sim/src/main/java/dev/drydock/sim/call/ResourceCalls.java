package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.Cause;
import dev.drydock.sim.api.DeleteOptions;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.Registry;
import dev.drydock.sim.api.Registry.Deleted;
import dev.drydock.sim.api.Registry.Update;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.ScalePaths;
import dev.drydock.sim.api.Status;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Calls on resources, by verb. */
final class ResourceCalls {
  private final Registry registry;
  private final Listing listing;
  private final WatchQueues watches;
  private final PodCalls podCalls;
  private final ObjectWriter writer;
  private final Applying applying;
  private final Scaling scaling;
  private final Clock clock;

  ResourceCalls(
      Registry registry,
      PodCalls podCalls,
      ObjectWriter writer,
      Clock clock,
      PodsByNode podsByNode) {
    this.clock = clock;
    this.registry = registry;
    this.writer = writer;
    this.applying = new Applying(registry, writer);
    this.scaling = new Scaling(registry, writer);
    this.listing = new Listing(registry.store(), podsByNode);
    this.watches = new WatchQueues(registry.store());
    this.podCalls = podCalls;
  }

  ApiResponse answer(String verb, ApiRequest request, Target target) {
    requireSubresource(request, target);
    Presentation presentation = Presentation.of(request, target.type(), clock);
    if (verb.equals("watch")) {
      return new ApiResponse.Stream(new Watching(watches, request, target, presentation));
    }
    ApiResponse answer = call(verb, request, target);
    return answer instanceof ApiResponse.Whole whole
        ? ApiResponse.Whole.of(whole.code(), presentation.show(whole.body()))
        : answer;
  }

  private ApiResponse call(String verb, ApiRequest request, Target target) {
    ScalePaths scale = target.type().rules().scale();
    if (scale != null && target.subresource().equals("scale")) {
      return scaling.answer(verb, request, target, scale);
    }
    return switch (verb) {
      case "get" -> ApiResponse.Whole.of(200, get(target));
      case "list" -> ApiResponse.Whole.of(200, listing.list(request, target));
      case "create" -> create(request, target);
      case "update" -> ApiResponse.Whole.of(200, update(request, target));
      case "patch" -> patch(request, target);
      case "delete" -> delete(request, target);
      case "deletecollection" -> ApiResponse.Whole.of(200, deleteCollection(request, target));
      default -> throw StatusException.methodNotAllowed();
    };
  }

  private static void requireSubresource(ApiRequest request, Target target) {
    boolean known =
        switch (target.subresource()) {
          case "" -> true;
          case "status" -> target.type().rules().hasStatus();
          case "scale" -> target.type().rules().scale() != null;
          case "eviction", "binding" ->
              target.type().resource().equals("pods.") && request.method().equals("POST");
          default -> false;
        };
    if (!known) {
      boolean nowhere = target.type().rules().isCustom() || target.subresource().equals("status");
      throw nowhere
          ? StatusException.noSuchResource()
          : StatusException.notSimulated(request.method() + " " + request.uri().getPath());
    }
  }

  private ObjectNode get(Target target) {
    return target.type().served(registry.require(target.type(), target.key()));
  }

  private ApiResponse create(ApiRequest request, Target target) {
    return switch (target.subresource()) {
      case "eviction" -> ApiResponse.Whole.of(201, podCalls.evict(request, target));
      case "binding" -> ApiResponse.Whole.of(201, podCalls.bind(request, target));
      case "" -> {
        if (target.type().namespaced() && target.namespace().isEmpty()) {
          throw StatusException.methodNotAllowed();
        }
        ObjectNode created =
            writer.create(
                request,
                target,
                ObjectWriter.body(request, target.type()),
                writer.writer(request, target));
        yield ApiResponse.Whole.of(201, target.type().served(created));
      }
      default -> throw StatusException.methodNotAllowed();
    };
  }

  private ObjectNode update(ApiRequest request, Target target) {
    ObjectNode written = ObjectWriter.body(request, target.type());
    String name = JsonTrees.text(written, "metadata", "name");
    if (!name.equals(target.name())) {
      throw StatusException.badRequest(
          "the name of the object (%s) does not match the name on the URL (%s)"
              .formatted(name, target.name()));
    }
    return write(request, target, before -> sameObject(target, written, before));
  }

  /** A write to an object that was deleted and recreated fails on its UID, not on its fields. */
  private static ObjectNode sameObject(Target target, ObjectNode written, ObjectNode before) {
    String uid = JsonTrees.text(written, "metadata", "uid");
    String actual = JsonTrees.text(before, "metadata", "uid");
    if (!uid.isEmpty() && !uid.equals(actual)) {
      throw StatusException.conflict(
          target.type(),
          target.name(),
          "Precondition failed: UID in precondition: %s, UID in object meta: %s"
              .formatted(uid, actual));
    }
    return written;
  }

  private ApiResponse patch(ApiRequest request, Target target) {
    if (Applying.TYPES.contains(request.contentType())) {
      return applying.apply(request, target);
    }
    if (request.isSet("force")) {
      throw StatusException.invalidOption(
          "PatchOptions", Cause.forbidden("force", "may not be specified for non-apply patch"));
    }
    ResourceType type = target.type();
    return ApiResponse.Whole.of(
        200,
        write(
            request,
            target,
            before -> ObjectWriter.stored(request, type, Patching.apply(type, before, request))));
  }

  private ObjectNode write(ApiRequest request, Target target, UnaryOperator<ObjectNode> change) {
    Update update =
        new Update(
            change,
            target.subresource().equals("status"),
            request.dryRun(),
            writer.writer(request, target));
    return target.type().served(writer.update(request, target, update));
  }

  private ApiResponse delete(ApiRequest request, Target target) {
    podCalls.requireOwnPod(request, target, "delete");
    writer.admitDeletion(request, target, registry.require(target.type(), target.key()));
    Deleted deleted = registry.delete(target.type(), target.key(), options(request));
    boolean showsObject = !deleted.gone() || target.type().resource().equals("pods.");
    return ApiResponse.Whole.of(
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
    details.put("uid", JsonTrees.text(object, "metadata", "uid"));
    return status;
  }

  private static DeleteOptions options(ApiRequest request) {
    ObjectNode options = !request.hasBody() ? JsonTrees.object() : request.object();
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
    List<ObjectNode> deleted = new ArrayList<>();
    for (ObjectNode object :
        registry.store().list(target.type().resource(), Listing.namespace(target)).objects()) {
      if (selection.matches(object)) {
        writer.admitDeletion(request, target, object);
        deleted.add(deleted(target, object, options));
      }
    }
    return Listing.listOf(target.type(), deleted, registry.store().version());
  }

  /** An object that was deleted meanwhile counts as deleted. */
  private ObjectNode deleted(Target target, ObjectNode object, DeleteOptions options) {
    try {
      return registry.delete(target.type(), ObjectFacts.key(object), options).object();
    } catch (StatusException failure) {
      if (failure.code() != 404) {
        throw failure;
      }
      return object;
    }
  }
}
