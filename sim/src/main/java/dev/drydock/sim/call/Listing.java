package dev.drydock.sim.call;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.api.ObjectFacts;
import dev.drydock.sim.api.ResourceType;
import dev.drydock.sim.api.StatusException;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.store.Store;
import dev.drydock.sim.store.Store.Snapshot;
import dev.drydock.sim.store.VersionForgotten;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lists, complete or in consistent pages. */
final class Listing {
  /** Where the next page begins, and the resource version of all pages. */
  private record Page(long version, ObjectKey after) {
    String token() {
      ObjectNode token = JsonTrees.object().put("version", version);
      token.put("namespace", after.namespace()).put("name", after.name());
      return Base64.getUrlEncoder()
          .withoutPadding()
          .encodeToString(token.toString().getBytes(StandardCharsets.UTF_8));
    }

    static Page of(String token) {
      try {
        JsonNode read = JsonTrees.MAPPER.readTree(Base64.getUrlDecoder().decode(token));
        return new Page(
            read.path("version").asLong(),
            new ObjectKey(JsonTrees.text(read, "namespace"), JsonTrees.text(read, "name")));
      } catch (IOException | IllegalArgumentException e) {
        throw StatusException.badRequest("continue key is not valid: " + e.getMessage());
      }
    }
  }

  private final Store store;
  private final PodsByNode podsByNode;

  Listing(Store store, PodsByNode podsByNode) {
    this.store = store;
    this.podsByNode = podsByNode;
  }

  ObjectNode list(ApiRequest request, Target target) {
    Selection selection = Selection.of(request, target);
    String token = request.parameter("continue");
    Page page = token.isEmpty() ? null : Page.of(token);
    Snapshot snapshot =
        page == null ? first(request, target, selection) : at(target, page.version());
    List<ObjectNode> matching =
        snapshot.objects().stream()
            .filter(selection::matches)
            .filter(object -> page == null || ObjectFacts.key(object).compareTo(page.after()) > 0)
            .toList();
    int limit = limit(request);
    List<ObjectNode> shown = matching.subList(0, Math.min(limit, matching.size()));
    ObjectNode list = listOf(target.type(), shown, snapshot.version());
    if (shown.size() < matching.size()) {
      ObjectNode metadata = JsonTrees.metadata(list);
      metadata.put(
          "continue", new Page(snapshot.version(), ObjectFacts.key(shown.getLast())).token());
      if (selection.isAll()) {
        metadata.put("remainingItemCount", matching.size() - shown.size());
      }
    }
    return list;
  }

  private Snapshot first(ApiRequest request, Target target, Selection selection) {
    String asked = request.parameter("resourceVersion");
    if (asked.isEmpty() || asked.equals("0")) {
      return now(target, selection);
    }
    long version = Versions.parse(asked);
    long current = store.version();
    if (version > current) {
      throw StatusException.versionNotReached(version, current);
    }
    return request.parameter("resourceVersionMatch").equals("Exact")
        ? at(target, version)
        : now(target, selection);
  }

  /** What may match: by an index, where there is one for what is asked. */
  private Snapshot now(Target target, Selection selection) {
    String resource = target.type().resource();
    String node = resource.equals("pods.") ? selection.only("spec.nodeName") : "";
    String name =
        target.type().namespaced() && target.namespace().isEmpty()
            ? ""
            : selection.only("metadata.name");
    if (!name.isEmpty()) {
      return store.write(
          () -> {
            ObjectNode found = store.get(resource, new ObjectKey(target.namespace(), name));
            return new Snapshot(found == null ? List.of() : List.of(found), store.version());
          });
    }
    if (!node.isEmpty() && target.namespace().isEmpty()) {
      return store.write(() -> new Snapshot(podsByNode.on(node), store.version()));
    }
    return store.list(resource, namespace(target));
  }

  private Snapshot at(Target target, long version) {
    try {
      return store.listAt(target.type().resource(), namespace(target), version);
    } catch (VersionForgotten e) {
      throw StatusException.expired(
          "The provided continue parameter is too old to display a consistent list result: "
              + e.getMessage());
    }
  }

  /** A list at any version is served from memory and ignores the limit. */
  private static int limit(ApiRequest request) {
    String limit = request.parameter("limit");
    if (limit.isEmpty() || request.parameter("resourceVersion").equals("0")) {
      return Integer.MAX_VALUE;
    }
    try {
      int asked = Integer.parseInt(limit);
      return asked > 0 ? asked : Integer.MAX_VALUE;
    } catch (NumberFormatException e) {
      throw StatusException.badRequest("invalid limit: " + limit);
    }
  }

  static ObjectNode listOf(ResourceType type, List<ObjectNode> objects, long version) {
    ObjectNode list = JsonTrees.object().put("kind", type.names().listKind());
    list.put("apiVersion", type.apiVersion());
    list.putObject("metadata").put("resourceVersion", Long.toString(version));
    ArrayNode items = list.putArray("items");
    for (ObjectNode object : objects) {
      ObjectNode served = type.served(object);
      if (!type.rules().isCustom()) {
        // in a list of a built-in type only the list has apiVersion and kind
        served = JsonTrees.object().setAll(served);
        served.remove(List.of("apiVersion", "kind"));
      }
      items.add(served);
    }
    return list;
  }

  static @Nullable String namespace(Target target) {
    return target.namespace().isEmpty() ? null : target.namespace();
  }
}
