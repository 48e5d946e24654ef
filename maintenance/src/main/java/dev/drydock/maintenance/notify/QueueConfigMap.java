package dev.drydock.maintenance.notify;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.Sha256;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Fields;
import dev.drydock.kube.Json;
import dev.drydock.kube.Resource;
import dev.drydock.kube.ResourceVersion;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The notices of one node as a ConfigMap holds them; a node without pending notices has no
 * ConfigMap. Every change is conditional on the version that it starts from.
 *
 * @param version of the ConfigMap, or the last it had before it went
 * @param entries in their order
 * @param unreadable keys that are not ours, which the next change removes
 */
record QueueConfigMap(
    String node,
    String version,
    boolean exists,
    List<QueuedNotice> entries,
    Set<String> unreadable) {
  static final String LABEL = "drydock.dev/outbox";
  static final String NODE_ANNOTATION = "drydock.dev/node";
  private static final int HASH_DIGITS = 20;

  static QueueConfigMap absent(String node, String lastVersion) {
    return new QueueConfigMap(node, lastVersion, false, List.of(), Set.of());
  }

  /** Null for a ConfigMap that does not say which node it is for. */
  static @Nullable QueueConfigMap read(JsonNode configMap) {
    String node = text(configMap.path("metadata").path("annotations"), NODE_ANNOTATION);
    return node.isEmpty() ? null : of(node, configMap);
  }

  /** The queue in the ConfigMap that has the node's name. */
  static QueueConfigMap of(String node, JsonNode configMap) {
    List<QueuedNotice> entries = new ArrayList<>();
    Set<String> unreadable = new TreeSet<>();
    new TreeMap<>(Fields.texts(configMap.path("data")))
        .forEach(
            (key, text) ->
                QueuedNotice.read(key, text)
                    .ifPresentOrElse(entries::add, () -> unreadable.add(key)));
    return new QueueConfigMap(
        node,
        text(configMap.path("metadata"), "resourceVersion"),
        true,
        List.copyOf(entries),
        unreadable);
  }

  QueueConfigMap deleted() {
    return absent(node, version);
  }

  boolean isNewerThan(QueueConfigMap other) {
    return ResourceVersion.isNewer(version, other.version);
  }

  boolean holds(String id) {
    return entries.stream().anyMatch(queued -> queued.id().equals(id));
  }

  String nextKey() {
    return entries.isEmpty() ? QueuedNotice.FIRST_KEY : QueuedNotice.after(entries.getLast().key());
  }

  static String path(String namespace, String node) {
    return Resource.CONFIG_MAPS.path(namespace, name(node));
  }

  /** A node's name may be longer than is allowed here. */
  static String name(String node) {
    return "drydock-outbox-" + Sha256.hex(node).substring(0, HASH_DIGITS);
  }

  /** The request after which these entries are stored, if they are not already. */
  Optional<ApiCall> changeTo(List<QueuedNotice> after, String namespace) {
    if (!exists) {
      return after.isEmpty() ? Optional.empty() : Optional.of(creation(after, namespace));
    }
    if (after.isEmpty()) {
      return Optional.of(deletion(namespace));
    }
    boolean same = after.equals(entries) && unreadable.isEmpty();
    return same ? Optional.empty() : Optional.of(patch(after, namespace));
  }

  private ApiCall creation(List<QueuedNotice> after, String namespace) {
    ObjectNode configMap = Resource.CONFIG_MAPS.manifest(namespace, name(node));
    mark(configMap.withObject("/metadata"));
    ObjectNode data = configMap.putObject("data");
    after.forEach(queued -> data.put(queued.key(), queued.write()));
    return ApiCall.create(Resource.CONFIG_MAPS.collection(namespace), configMap.toString());
  }

  private void mark(ObjectNode metadata) {
    metadata.putObject("labels").put(LABEL, "true");
    metadata.putObject("annotations").put(NODE_ANNOTATION, node);
  }

  private ApiCall deletion(String namespace) {
    ObjectNode options = Json.object();
    options.put("apiVersion", "v1").put("kind", "DeleteOptions");
    options.putObject("preconditions").put("resourceVersion", version);
    return ApiCall.delete(path(namespace, node), options.toString());
  }

  private ApiCall patch(List<QueuedNotice> after, String namespace) {
    ObjectNode patch = Json.object();
    ObjectNode metadata = patch.putObject("metadata");
    metadata.put("resourceVersion", version);
    mark(metadata); // somebody may have taken the marks away
    ObjectNode data = patch.putObject("data");
    unreadable.forEach(data::putNull);
    Map<String, QueuedNotice> before =
        new HashMap<>(
            entries.stream().collect(Collectors.toMap(QueuedNotice::key, Function.identity())));
    for (QueuedNotice queued : after) {
      if (!queued.equals(before.remove(queued.key()))) {
        data.put(queued.key(), queued.write());
      }
    }
    before.keySet().forEach(data::putNull);
    return ApiCall.mergePatch(path(namespace, node), patch.toString());
  }
}
