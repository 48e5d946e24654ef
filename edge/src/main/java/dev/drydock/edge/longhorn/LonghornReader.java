package dev.drydock.edge.longhorn;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.edge.decide.StorageView;
import dev.drydock.edge.decide.VolumeReplica;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Fields;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import java.net.HttpURLConnection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what Longhorn says about its replicas. A cluster without Longhorn has none. */
public final class LonghornReader {
  static final String NAMESPACE = "longhorn-system";
  private static final String GROUP = "longhorn.io";
  private static final String VERSION = "v1beta2";

  static final Resource SETTINGS = Resource.namespaced(GROUP, VERSION, "settings", "Setting");
  private static final Resource VOLUMES = Resource.namespaced(GROUP, VERSION, "volumes", "Volume");
  private static final Resource REPLICAS =
      Resource.namespaced(GROUP, VERSION, "replicas", "Replica");
  private static final Resource ENGINES = Resource.namespaced(GROUP, VERSION, "engines", "Engine");

  private final KubeHttp http;

  public LonghornReader(KubeHttp http) {
    this.http = http;
  }

  /** Never fails: what could not be read is part of the answer. */
  public StorageView read(String node) {
    List<ApiObject> replicas = new ArrayList<>();
    List<ApiObject> engines = new ArrayList<>();
    List<ApiObject> volumes = new ArrayList<>();
    KubeAnswer answer = list(REPLICAS, replicas);
    if (answer.code() == HttpURLConnection.HTTP_NOT_FOUND) {
      return StorageView.NONE;
    }
    if (answer.ok()) {
      answer = list(ENGINES, engines);
    }
    if (answer.ok()) {
      answer = list(VOLUMES, volumes);
    }
    return answer.ok()
        ? view(node, replicas, engines, volumes)
        : StorageView.unreadable(answer.message());
  }

  private KubeAnswer list(Resource resource, List<ApiObject> into) {
    return http.list(resource.in(NAMESPACE), object -> into.add(ApiObject.of(object)));
  }

  private static StorageView view(
      String node, List<ApiObject> replicas, List<ApiObject> engines, List<ApiObject> volumes) {
    Map<String, ApiObject> engineOf = new HashMap<>();
    // a volume that was moved may have left an engine behind, which knows only how it was
    engines.stream()
        .sorted(Comparator.comparing(engine -> engine.spec().path("active").asBoolean(false)))
        .forEach(engine -> engineOf.put(volume(engine), engine));
    Map<String, String> attachedTo = new HashMap<>();
    volumes.forEach(
        volume -> attachedTo.put(volume.name(), Fields.text(volume.status(), "currentNodeID")));
    return new StorageView(
        replicas.stream().map(replica -> replica(replica, engineOf.get(volume(replica)))).toList(),
        engines.stream()
            .filter(engine -> Fields.text(engine.spec(), "nodeID").equals(node))
            .filter(engine -> !node.equals(attachedTo.get(volume(engine))))
            .map(ApiObject::name)
            .toList(),
        Optional.empty());
  }

  private static String volume(ApiObject object) {
    return Fields.text(object.spec(), "volumeName");
  }

  private static VolumeReplica replica(ApiObject replica, @Nullable ApiObject engine) {
    boolean recorded =
        !Fields.text(replica.spec(), "healthyAt").isEmpty()
            && Fields.text(replica.spec(), "failedAt").isEmpty();
    JsonNode modes =
        engine == null ? replica.root().path("none") : engine.status().path("replicaModeMap");
    // a volume that is attached knows best; of one that is not, only the record is left
    boolean healthy = modes.size() > 0 ? Fields.text(modes, replica.name()).equals("RW") : recorded;
    return new VolumeReplica(
        replica.name(),
        volume(replica),
        Fields.text(replica.spec(), "nodeID"),
        healthy,
        engine == null ? -1 : progress(replica.name(), engine));
  }

  /** Negative if it is not being rebuilt. */
  private static int progress(String replica, ApiObject engine) {
    String address = Fields.text(engine.status().path("currentReplicaAddressMap"), replica);
    if (address.isEmpty()) {
      return -1;
    }
    for (Map.Entry<String, JsonNode> rebuild : engine.status().path("rebuildStatus").properties()) {
      boolean same = rebuild.getKey().endsWith(address);
      if (same && rebuild.getValue().path("isRebuilding").asBoolean(false)) {
        return Math.clamp(rebuild.getValue().path("progress").asLong(0), 0, 100);
      }
    }
    return -1;
  }
}
