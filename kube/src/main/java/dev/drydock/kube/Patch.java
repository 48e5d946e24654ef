package dev.drydock.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A merge patch of one object, with its precondition. Only the given fields are written; null
 * removes a field.
 */
public final class Patch {
  private static final int TRIES = 20;

  private final Resource resource;
  private final ApiObject object;
  private final ObjectNode body = Json.object();
  private String subresource = "";

  private Patch(Resource resource, ApiObject object) {
    this.resource = resource;
    this.object = object;
  }

  /** Fails if the object was changed since it was read. */
  public static Patch ifUnchanged(Resource resource, ApiObject object) {
    Patch patch = sameUid(resource, object);
    patch.metadata().put("resourceVersion", object.version());
    return patch;
  }

  /** Fails if the name belongs to another object now; other changes do not matter. */
  public static Patch sameUid(Resource resource, ApiObject object) {
    Patch patch = new Patch(resource, object);
    patch.metadata().put("uid", object.uid());
    return patch;
  }

  private ObjectNode metadata() {
    return child(body, "metadata");
  }

  private static ObjectNode child(ObjectNode parent, String field) {
    return parent.path(field) instanceof ObjectNode there ? there : parent.putObject(field);
  }

  /** Null removes the label. */
  public Patch label(String key, @Nullable String value) {
    child(metadata(), "labels").put(key, value);
    return this;
  }

  /** Null removes the annotation. */
  public Patch annotation(String key, @Nullable String value) {
    child(metadata(), "annotations").put(key, value);
    return this;
  }

  public Patch addFinalizer(String finalizer) {
    List<String> all = new ArrayList<>(object.finalizers());
    if (!all.contains(finalizer)) {
      all.add(finalizer);
    }
    return finalizers(all);
  }

  public Patch removeFinalizer(String finalizer) {
    return finalizers(
        object.finalizers().stream().filter(other -> !other.equals(finalizer)).toList());
  }

  /** A list is replaced as a whole, so use it with {@link #ifUnchanged}. */
  public Patch finalizers(List<String> all) {
    ArrayNode list = metadata().putArray("finalizers");
    all.forEach(list::add);
    return this;
  }

  /** Fields beside the metadata, of kinds that have no spec. */
  public Patch fields(Consumer<ObjectNode> fields) {
    fields.accept(body);
    return this;
  }

  public Patch spec(Consumer<ObjectNode> fields) {
    fields.accept(child(body, "spec"));
    return this;
  }

  /** Fields of the status subresource; not combined with other fields. */
  public Patch status(Consumer<ObjectNode> fields) {
    subresource = "/status";
    fields.accept(child(body, "status"));
    return this;
  }

  /**
   * Replaces the status, because a merge patch keeps what it does not name: fields that only the
   * present status has, at any depth, are removed.
   */
  public Patch replaceStatus(JsonNode present, ObjectNode wanted) {
    ObjectNode whole = wanted.deepCopy();
    removeOthers(present, whole);
    return status(status -> status.setAll(whole));
  }

  private static void removeOthers(JsonNode present, ObjectNode wanted) {
    for (Map.Entry<String, JsonNode> field : present.properties()) {
      if (!wanted.has(field.getKey())) {
        wanted.putNull(field.getKey());
      } else if (wanted.get(field.getKey()) instanceof ObjectNode child) {
        removeOthers(field.getValue(), child);
      }
    }
  }

  public ApiCall call() {
    return ApiCall.mergePatch(path(), body.toString());
  }

  /** Uses a strategic merge patch, which merges lists by key; only for built-in kinds. */
  public ApiCall strategicCall() {
    return ApiCall.strategicPatch(path(), body.toString());
  }

  /**
   * Reads, changes and writes, again while others write in between.
   *
   * @param what is written, for people
   * @param attempt reads and writes once; empty after a conflict
   * @throws ApiFailure with a conflict, if others always write first
   */
  public static <T> T retrying(String what, Supplier<Optional<T>> attempt) {
    return retrying(what, attempt, () -> attempt, Supplier::get);
  }

  /**
   * Changes and writes what is known already, and reads it again after a conflict.
   *
   * @param what is written, for people
   * @param attempt writes once; empty after a conflict
   * @throws ApiFailure with a conflict, if others always write first
   */
  public static <S, T> T retrying(
      String what, S known, Supplier<S> read, Function<S, Optional<T>> attempt) {
    S seen = known;
    for (int i = 0; i < TRIES; i++) {
      Optional<T> written = attempt.apply(seen);
      if (written.isPresent()) {
        return written.get();
      }
      seen = read.get();
    }
    throw new ApiFailure(
        HttpURLConnection.HTTP_CONFLICT,
        "%s: %d conflicting updates; try again".formatted(what, TRIES));
  }

  private String path() {
    return resource.path(object.namespace(), object.name()) + subresource;
  }

  /**
   * Sends the patch and returns the updated object.
   *
   * @throws ApiFailure if it was refused, or there was no answer
   */
  public JsonNode send(KubeHttp http) {
    return http.send(call()).orThrow(resource.kind() + " " + object);
  }

  /** As {@link #send}; empty if the precondition does not hold. */
  public Optional<JsonNode> sendUnlessConflict(KubeHttp http) {
    return sendUnless(HttpURLConnection.HTTP_CONFLICT, http);
  }

  /** As {@link #send}; empty if the object does not exist. */
  public Optional<JsonNode> sendIfExists(KubeHttp http) {
    return sendUnless(HttpURLConnection.HTTP_NOT_FOUND, http);
  }

  private Optional<JsonNode> sendUnless(int code, KubeHttp http) {
    KubeAnswer answer = http.send(call());
    return answer.code() == code
        ? Optional.empty()
        : Optional.of(answer.orThrow(resource.kind() + " " + object));
  }
}
