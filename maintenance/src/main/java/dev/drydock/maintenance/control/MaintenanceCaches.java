package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.UnreadableObject;
import dev.drydock.kube.Watch;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maintenances and nodes as they are known, kept up to date by watches. */
final class MaintenanceCaches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceCaches.class);

  private final KubeHttp http;
  private final Watch<NotifyMaintenanceObject> maintenances;
  private final Watch<MaintenanceNodeObject> nodes;

  /**
   * @param changed gets the node's name when it or its maintenances changed; empty for all nodes
   */
  MaintenanceCaches(Kube kube, Consumer<String> changed) {
    http = kube.http();
    maintenances =
        kube.watches()
            .of(
                Watch.Kind.of(NotifyMaintenanceObject.RESOURCE.all(), NotifyMaintenanceObject::read)
                    .groupedBy(seen -> seen.facts().node())
                    .reportingUnreadable(NotifyMaintenanceObject.RESOURCE),
                waker(changed, seen -> seen.facts().node()));
    nodes =
        kube.watches()
            .of(
                Watch.Kind.of(MaintenanceNodeObject.ALL, MaintenanceNodeObject::read)
                    .groupedBy(seen -> seen.facts().name()),
                new NodeListener(changed));
  }

  /** Wakes the node that a change is about. */
  static <T> Watch.Listener<T> waker(Consumer<String> changed, Function<T, String> node) {
    return Watch.Listener.keyed(node, changed, () -> changed.accept(""));
  }

  /** Heartbeats wake no reconciler. */
  private record NodeListener(Consumer<String> changed)
      implements Watch.Listener<MaintenanceNodeObject> {
    @Override
    public void changed(
        @Nullable MaintenanceNodeObject before, @Nullable MaintenanceNodeObject after) {
      MaintenanceNodeObject one = after == null ? before : after;
      boolean heartbeat = before != null && after != null && before.isSameButForVersion(after);
      if (one != null && !heartbeat) {
        changed.accept(one.facts().name());
      }
    }

    @Override
    public void refreshed() {
      changed.accept("");
    }
  }

  void start() {
    nodes.start();
    maintenances.start();
  }

  /** Whether everything was seen at least once; only then is what is missing really not there. */
  boolean isKnown() {
    return maintenances.isListed() && nodes.isListed();
  }

  List<NotifyMaintenanceObject> all() {
    return maintenances.state().items();
  }

  /** Those that are there but cannot be read, by namespace and name. */
  Set<String> unreadable() {
    return maintenances.state().unreadable().keySet();
  }

  List<MaintenanceNodeObject> allNodes() {
    return nodes.state().items();
  }

  List<NotifyMaintenanceObject> maintenances(String node) {
    return maintenances.state(node).items();
  }

  /**
   * Empty if it does not exist.
   *
   * @throws UnreadableObject if it exists but cannot be parsed
   */
  Optional<MaintenanceNodeObject> node(String name) {
    Watch.State<MaintenanceNodeObject> state = nodes.state(name);
    if (state.unreadable().containsKey(name)) {
      throw new UnreadableObject("Node " + name, state.unreadable().get(name));
    }
    return state.items().stream().findFirst();
  }

  /** Whether a maintenance of the node is there but cannot be read. */
  boolean hasUnreadable(String node) {
    return unreadable().stream().anyMatch(name -> node.equals(nodeOf(name)));
  }

  private String nodeOf(String maintenance) {
    int slash = maintenance.indexOf('/');
    return http.find(
            NotifyMaintenanceObject.RESOURCE,
            maintenance.substring(0, slash),
            maintenance.substring(slash + 1))
        .map(MaintenanceCaches::nodeOf)
        .orElse("");
  }

  /** Also of one that cannot be read otherwise. */
  private static String nodeOf(JsonNode maintenance) {
    return text(maintenance.path("spec"), "nodeObject");
  }

  /**
   * The other maintenances of its node as they are now, past the cache.
   *
   * @throws UnreadableObject if one of them cannot be read
   */
  List<MaintenanceFacts> readOthers(NotifyMaintenanceObject than) {
    List<MaintenanceFacts> others = new ArrayList<>();
    var _ =
        http.list(
                NotifyMaintenanceObject.RESOURCE.all(),
                object -> {
                  ApiObject each = ApiObject.of(object);
                  boolean isOther =
                      nodeOf(object).equals(than.facts().node()) && !each.uid().equals(than.uid());
                  if (isOther) {
                    others.add(read(each));
                  }
                })
            .orThrow("list of NotifyMaintenances");
    return others;
  }

  private static MaintenanceFacts read(ApiObject object) {
    try {
      return NotifyMaintenanceObject.read(object.root()).facts();
    } catch (IllegalStateException | DateTimeException malformed) {
      LOG.debug("NotifyMaintenance {}", object, malformed);
      throw new UnreadableObject(
          "NotifyMaintenance " + object, String.valueOf(malformed.getMessage()));
    }
  }

  @Override
  public void close() {
    maintenances.close();
    nodes.close();
  }
}
