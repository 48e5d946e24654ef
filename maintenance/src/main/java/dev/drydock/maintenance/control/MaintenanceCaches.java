package dev.drydock.maintenance.control;

import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import dev.drydock.kube.time.TimeSource;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maintenances and nodes as they are known, kept up to date by watches. */
final class MaintenanceCaches implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceCaches.class);

  private static final Source ALL_MAINTENANCES = new Source(NotifyMaintenanceObject.allPath(), "");

  private final KubeHttp http;
  private final Watch<NotifyMaintenanceObject> maintenances;
  private final Watch<MaintenanceNodeObject> nodes;
  private volatile boolean maintenancesListed;
  private volatile boolean nodesListed;

  /**
   * @param changed told the node's name when something about it or its maintenances changed
   * @param refreshed told when anything may have changed
   */
  MaintenanceCaches(KubeHttp http, Consumer<String> changed, Runnable refreshed) {
    this.http = http;
    maintenances =
        new Kube(http, TimeSource.REAL)
            .watches()
            .of(
                Watch.Kind.of(ALL_MAINTENANCES, NotifyMaintenanceObject::read)
                    .groupedBy(seen -> seen.facts().node()),
                new Watch.Listener<>() {
                  @Override
                  public void changed(
                      @Nullable NotifyMaintenanceObject before,
                      @Nullable NotifyMaintenanceObject after) {
                    NotifyMaintenanceObject one = after == null ? before : after;
                    if (one != null) {
                      changed.accept(one.facts().node());
                    }
                  }

                  @Override
                  public void refreshed() {
                    maintenancesListed |= isListed("NotifyMaintenances", maintenances());
                    refreshed.run();
                  }
                },
                Backoff.USUAL);
    nodes =
        new Kube(http, TimeSource.REAL)
            .watches()
            .of(
                Watch.Kind.of(MaintenanceNodeObject.ALL, MaintenanceNodeObject::read)
                    .groupedBy(seen -> seen.facts().name()),
                new Watch.Listener<>() {
                  @Override
                  public void changed(
                      @Nullable MaintenanceNodeObject before,
                      @Nullable MaintenanceNodeObject after) {
                    MaintenanceNodeObject one = after == null ? before : after;
                    boolean heartbeat =
                        before != null && after != null && before.isSameButForVersion(after);
                    if (one != null && !heartbeat) {
                      changed.accept(one.facts().name());
                    }
                  }

                  @Override
                  public void refreshed() {
                    nodesListed |= isListed("Nodes", nodes());
                    refreshed.run();
                  }
                },
                Backoff.USUAL);
  }

  private Watch.State<NotifyMaintenanceObject> maintenances() {
    return maintenances.state();
  }

  private Watch.State<MaintenanceNodeObject> nodes() {
    return nodes.state();
  }

  private static boolean isListed(String what, Watch.State<?> state) {
    state.unsynced().ifPresent(why -> LOG.warn("{} are not seen at present: {}", what, why));
    return state.unsynced().isEmpty();
  }

  void start() {
    nodes.start();
    maintenances.start();
  }

  /** Whether everything was seen at least once; only then is what is missing really not there. */
  boolean isKnown() {
    return maintenancesListed && nodesListed;
  }

  List<NotifyMaintenanceObject> all() {
    return maintenances.state().items();
  }

  List<MaintenanceNodeObject> allNodes() {
    return nodes.state().items();
  }

  List<NotifyMaintenanceObject> maintenances(String node) {
    return maintenances.state(node).items();
  }

  Optional<MaintenanceNodeObject> node(String name) {
    return nodes.state(name).items().stream().findFirst();
  }

  /** The other maintenances of its node as they are now, past the cache. */
  List<MaintenanceFacts> readOthers(NotifyMaintenanceObject than) {
    List<MaintenanceFacts> others = new ArrayList<>();
    var _ =
        http.list(
                ALL_MAINTENANCES,
                object -> {
                  NotifyMaintenanceObject each = NotifyMaintenanceObject.read(object);
                  if (each.facts().node().equals(than.facts().node())
                      && !each.uid().equals(than.uid())) {
                    others.add(each.facts());
                  }
                })
            .orThrow("list of NotifyMaintenances");
    return others;
  }

  @Override
  public void close() {
    maintenances.close();
    nodes.close();
  }
}
