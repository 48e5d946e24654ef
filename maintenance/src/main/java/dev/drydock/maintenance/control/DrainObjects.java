package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.list;
import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.texts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Json;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import dev.drydock.maintenance.decide.ClassAutomationInput.Emptying;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Creates, watches and deletes the objects by which nodes are emptied, of any kind. */
final class DrainObjects implements AutoCloseable {
  private final Kube kube;
  private final KubeHttp http;
  private final Consumer<String> changed;
  private final Map<String, Kind> kinds = new ConcurrentHashMap<>();

  /** A kind that some class uses, and those of our objects that exist. */
  private record Kind(String plural, boolean namespaced, Watch<Seen> objects) {}

  /** One of ours. */
  private record Seen(String maintenance, String node, JsonNode object) {}

  /**
   * @param changed told the node's name when something about its drain changed
   */
  DrainObjects(Kube kube, Consumer<String> changed) {
    this.kube = kube;
    this.http = kube.http();
    this.changed = changed;
  }

  Emptying emptying(NotifyMaintenanceObject maintenance, DrainObject asked) {
    DrainObject wanted = served(asked);
    Watch.State<Seen> state = kind(wanted).objects().state(maintenance.uid());
    if (state.unsynced().filter(Watch.NOT_LISTED::equals).isPresent()) {
      return new Emptying.UnderWay(""); // for a moment only
    }
    if (state.unsynced().isPresent()) {
      return new Emptying.UnderWay(
          "%s objects to be seen: %s".formatted(wanted.kind(), state.unsynced().get()));
    }
    List<Seen> found = state.items();
    return found.isEmpty() ? new Emptying.NotBegun() : wanted.read(found.getFirst().object());
  }

  /** As the cache knows it. */
  Optional<JsonNode> find(NotifyMaintenanceObject maintenance, DrainObject asked) {
    DrainObject wanted = served(asked);
    return Optional.ofNullable(kinds.get(key(wanted)))
        .flatMap(kind -> kind.objects().state(maintenance.uid()).items().stream().findFirst())
        .map(Seen::object);
  }

  void create(NotifyMaintenanceObject maintenance, DrainObject asked) {
    DrainObject wanted = served(asked);
    Kind kind = kind(wanted);
    ObjectNode body = wanted.body().deepCopy();
    ObjectNode metadata = (ObjectNode) body.path("metadata");
    boolean beside = wanted.namespace().equals(maintenance.facts().identity().namespace());
    if (kind.namespaced() && beside) {
      metadata.putArray("ownerReferences").add(JobTemplate.owner(maintenance));
    }
    if (!kind.namespaced()) {
      metadata.remove("namespace");
    }
    KubeAnswer answer = http.send(ApiCall.create(collection(kind, wanted), body.toString()));
    if (answer.code() == HttpURLConnection.HTTP_CONFLICT) {
      var _ = existing(maintenance, wanted, kind);
      return;
    }
    var _ = answer.orThrow("%s %s".formatted(wanted.kind(), wanted.name()));
  }

  /** Created before we were killed; unless it is somebody else's. */
  private JsonNode existing(NotifyMaintenanceObject maintenance, DrainObject wanted, Kind kind) {
    JsonNode there =
        http.send(ApiCall.get(collection(kind, wanted) + "/" + wanted.name()))
            .orThrow("%s %s".formatted(wanted.kind(), wanted.name()));
    if (!whose(there).equals(maintenance.uid())) {
      throw new ApiFailure(
          HttpURLConnection.HTTP_CONFLICT,
          "%s %s is there already and not of this maintenance; delete it"
              .formatted(wanted.kind(), wanted.name()));
    }
    return there;
  }

  /** Whoever serves it cleans up after itself. */
  void delete(NotifyMaintenanceObject maintenance, DrainObject asked) {
    DrainObject wanted = served(asked);
    Optional<String> path = path(wanted);
    if (path.isEmpty()) {
      return;
    }
    String what = "%s %s".formatted(wanted.kind(), wanted.name());
    KubeAnswer found = http.send(ApiCall.get(path.get()));
    if (found.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return;
    }
    JsonNode there = found.orThrow(what);
    if (!whose(there).equals(maintenance.uid())) {
      return;
    }
    JsonNode metadata = there.path("metadata");
    if (list(metadata.path("finalizers")).contains(DrainObject.FINALIZER)) {
      letGo(path.get(), metadata);
    }
    ObjectNode options = Json.object();
    options.putObject("preconditions").put("uid", text(metadata, "uid"));
    KubeAnswer answer = http.send(ApiCall.delete(path.get(), options.toString()));
    if (answer.code() != HttpURLConnection.HTTP_NOT_FOUND) {
      var _ = answer.orThrow(what);
    }
  }

  private void letGo(String path, JsonNode metadata) {
    ObjectNode patch = Json.object();
    ObjectNode changed = patch.putObject("metadata");
    changed
        .put("uid", text(metadata, "uid"))
        .put("resourceVersion", text(metadata, "resourceVersion"));
    ArrayNode left = changed.putArray("finalizers");
    list(metadata.path("finalizers")).stream()
        .filter(other -> !other.equals(DrainObject.FINALIZER))
        .forEach(left::add);
    KubeAnswer answer = http.send(ApiCall.mergePatch(path, patch.toString()));
    if (answer.code() != HttpURLConnection.HTTP_NOT_FOUND) {
      var _ = answer.orThrow(path);
    }
  }

  /** In that of two API groups that the cluster serves. */
  private DrainObject served(DrainObject asked) {
    Optional<DrainObject> twin = asked.twin();
    if (twin.isEmpty() || kinds.containsKey(key(asked))) {
      return asked;
    }
    if (kinds.containsKey(key(twin.get())) || (!isServed(asked) && isServed(twin.get()))) {
      return twin.get();
    }
    return asked;
  }

  private boolean isServed(DrainObject wanted) {
    return path(wanted).isPresent();
  }

  /** Empty if the cluster does not know such objects, so that there is none. */
  private Optional<String> path(DrainObject wanted) {
    try {
      return Optional.of(collection(kind(wanted), wanted) + "/" + wanted.name());
    } catch (ApiFailure unknown) {
      if (unknown.code() != HttpURLConnection.HTTP_NOT_FOUND) {
        throw unknown;
      }
      return Optional.empty();
    }
  }

  private static String whose(JsonNode object) {
    return texts(object.path("metadata").path("labels")).getOrDefault(JobObject.MAINTENANCE, "");
  }

  private static String root(DrainObject wanted) {
    return (wanted.apiVersion().contains("/") ? "/apis/" : "/api/") + wanted.apiVersion();
  }

  private static String collection(Kind kind, DrainObject wanted) {
    return root(wanted)
        + (kind.namespaced() ? "/namespaces/" + wanted.namespace() : "")
        + "/"
        + kind.plural();
  }

  private Kind kind(DrainObject wanted) {
    Kind known = kinds.get(key(wanted));
    return known == null ? kinds.computeIfAbsent(key(wanted), first -> discover(wanted)) : known;
  }

  private static String key(DrainObject wanted) {
    return wanted.apiVersion() + "/" + wanted.kind();
  }

  private Kind discover(DrainObject wanted) {
    JsonNode resources = http.send(ApiCall.get(root(wanted))).orThrow("API " + wanted.apiVersion());
    for (JsonNode resource : resources.path("resources")) {
      String name = text(resource, "name");
      if (text(resource, "kind").equals(wanted.kind()) && !name.contains("/")) {
        Watch<Seen> objects = watch(root(wanted) + "/" + name);
        return new Kind(name, resource.path("namespaced").asBoolean(), objects);
      }
    }
    throw new ApiFailure(
        HttpURLConnection.HTTP_NOT_FOUND,
        "this cluster does not know %s of %s; mend the MaintenanceClass or install it"
            .formatted(wanted.kind(), wanted.apiVersion()));
  }

  private Watch<Seen> watch(String path) {
    Watch<Seen> objects =
        kube.watches()
            .of(
                Watch.Kind.of(
                        new Source(path, "labelSelector=" + ApiCall.encode(JobObject.MAINTENANCE)),
                        DrainObjects::read)
                    .groupedBy(Seen::maintenance),
                new Watch.Listener<>() {
                  @Override
                  public void changed(@Nullable Seen before, @Nullable Seen after) {
                    Seen one = after == null ? before : after;
                    if (one != null) {
                      changed.accept(one.node());
                    }
                  }

                  @Override
                  public void refreshed() {
                    changed.accept("");
                  }
                },
                Backoff.USUAL);
    objects.start();
    return objects;
  }

  private static Seen read(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    return new Seen(
        whose(object),
        texts(metadata.path("annotations")).getOrDefault(JobObject.NODE, ""),
        object);
  }

  @Override
  public void close() {
    kinds.values().forEach(kind -> kind.objects().close());
  }
}
