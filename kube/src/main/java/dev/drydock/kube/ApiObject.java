package dev.drydock.kube;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The metadata that every API object has, parsed once.
 *
 * @param namespace empty for cluster-scoped kinds
 * @param version its resourceVersion
 * @param deleted whether it has a deletionTimestamp; it exists until its finalizers are removed
 * @param root the object as it was read
 * @param problem why spec or status are not there although the object has them
 */
public record ApiObject(
    String namespace,
    String name,
    String uid,
    String version,
    long generation,
    Instant created,
    boolean deleted,
    Map<String, String> labels,
    Map<String, String> annotations,
    List<String> finalizers,
    JsonNode root,
    Optional<String> problem)
    implements Versioned {
  public static ApiObject of(JsonNode object) {
    return of(object, Optional.empty());
  }

  private static ApiObject of(JsonNode object, Optional<String> problem) {
    JsonNode metadata = object.path("metadata");
    return new ApiObject(
        text(metadata, "namespace"),
        text(metadata, "name"),
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        metadata.path("generation").asLong(0),
        Fields.time(metadata, "creationTimestamp"),
        metadata.hasNonNull("deletionTimestamp"),
        Map.copyOf(Fields.texts(metadata.path("labels"))),
        Map.copyOf(Fields.texts(metadata.path("annotations"))),
        List.copyOf(Fields.list(metadata.path("finalizers"))),
        object,
        problem);
  }

  /**
   * As {@link #of}, for kinds whose objects are kept and that tenants or agents write: what is too
   * large is dropped, but identity, deletion and finalizers never are, so that whoever deletes the
   * object is obeyed. First go labels and annotations of others, then, with a {@link #problem}, the
   * spec, and status and owners if they are too large alone.
   *
   * @param ours how names of labels and annotations begin that are kept
   * @throws IllegalStateException if its finalizers alone are too large; until there are fewer, the
   *     object cannot be deleted anyway
   */
  public static ApiObject bounded(JsonNode object, List<String> ours) {
    if (!KeptSize.isTooLarge(object)) {
      return of(object);
    }
    ObjectNode metadata = copy(object.path("metadata"));
    for (String field : List.of("labels", "annotations")) {
      ObjectNode kept = copy(metadata.path(field));
      kept.properties().removeIf(entry -> ours.stream().noneMatch(entry.getKey()::startsWith));
      metadata.set(field, KeptSize.isTooLarge(kept) ? Json.object() : kept);
    }
    ObjectNode reduced = copy(object);
    reduced.set("metadata", metadata);
    if (!KeptSize.isTooLarge(reduced)) {
      return of(reduced);
    }
    String problem = KeptSize.problem(reduced);
    reduced.remove("spec");
    if (KeptSize.isTooLarge(reduced)) {
      reduced.remove("status");
      metadata.remove("ownerReferences");
    }
    if (KeptSize.isTooLarge(reduced)) {
      throw new IllegalStateException(KeptSize.problem(reduced) + " of finalizers");
    }
    return of(reduced, Optional.of(problem));
  }

  /** A shallow copy: what the fields contain is shared with the readers of other watches. */
  private static ObjectNode copy(JsonNode object) {
    ObjectNode copy = Json.object();
    object.properties().forEach(field -> copy.set(field.getKey(), field.getValue()));
    return copy;
  }

  /**
   * This object, of a kind that cannot be served without its spec.
   *
   * @throws IllegalStateException if it is not there because it is too large
   */
  public ApiObject complete() {
    problem.ifPresent(
        why -> {
          throw new IllegalStateException(why);
        });
    return this;
  }

  /** Only the identity, which is all that a write needs. */
  public static ApiObject identified(String namespace, String name, String uid, String version) {
    return new ApiObject(
        namespace,
        name,
        uid,
        version,
        0,
        Instant.EPOCH,
        false,
        Map.of(),
        Map.of(),
        List.of(),
        MissingNode.getInstance(),
        Optional.empty());
  }

  public JsonNode spec() {
    return root.path("spec");
  }

  public JsonNode status() {
    return root.path("status");
  }

  public Conditions conditions() {
    return Conditions.of(status());
  }

  public boolean hasFinalizer(String finalizer) {
    return finalizers.contains(finalizer);
  }

  /**
   * Whether it names this object among its owners. Admission policies decide who may name an owner
   * of a kind, so a reference with the UID and another kind proves nothing.
   */
  public boolean isOwnedBy(String ownerKind, String ownerUid) {
    for (JsonNode owner : root.path("metadata").path("ownerReferences")) {
      if (text(owner, "kind").equals(ownerKind) && text(owner, "uid").equals(ownerUid)) {
        return true;
      }
    }
    return false;
  }

  /** The reference to the owner that controls the object; there is at most one. */
  public static Optional<JsonNode> controller(JsonNode object) {
    return object
        .path("metadata")
        .path("ownerReferences")
        .valueStream()
        .filter(owner -> owner.path("controller").asBoolean())
        .findFirst();
  }

  /** A reference for objects that it owns, which are deleted with it. */
  public ObjectNode ownerReference(Resource resource) {
    return Json.object()
        .put("apiVersion", resource.apiVersion())
        .put("kind", resource.kind())
        .put("name", name)
        .put("uid", uid);
  }

  /** A reference for Events about it. */
  public EventRecorder.Regarding regarding(Resource resource) {
    return new EventRecorder.Regarding(
        resource.apiVersion(), resource.kind(), namespace, name, uid);
  }

  @Override
  public String toString() {
    return namespace.isEmpty() ? name : namespace + "/" + name;
  }
}
