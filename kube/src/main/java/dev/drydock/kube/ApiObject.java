package dev.drydock.kube;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The metadata that every API object has, parsed once.
 *
 * @param namespace empty for cluster-scoped kinds
 * @param version its resourceVersion
 * @param deleted whether it has a deletionTimestamp; it exists until its finalizers are removed
 * @param root the object as it was read
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
    JsonNode root)
    implements Versioned {
  public static ApiObject of(JsonNode object) {
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
        object);
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
        MissingNode.getInstance());
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
