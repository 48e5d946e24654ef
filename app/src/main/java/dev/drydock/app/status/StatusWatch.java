package dev.drydock.app.status;

import dev.drydock.drain.command.NodeArguments;
import dev.drydock.drain.kube.AndonCord;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Reflector;
import dev.drydock.kube.WakeUp;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Looks at the cluster for as long as anybody wants, by watches. */
final class StatusWatch implements AutoCloseable {
  /** Changes mostly come together. */
  private static final Duration GATHERING = Duration.ofMillis(100);

  private final WakeUp bell = new WakeUp();
  private final Reflector<NodeSnapshot> nodes;
  private final Reflector<NotifyMaintenanceObject> maintenances;
  private final Reflector<DrainRequestSnapshot> drains;
  private final Reflector<AndonCord.Pull> cord;
  private final Set<String> names;

  StatusWatch(KubeHttp http, AndonCord cord, NodeArguments wanted) {
    this.cord = reflector(http, cord.kind());
    names = Set.copyOf(wanted.names());
    nodes =
        reflector(
            http, Reflector.Kind.of(StatusSources.nodes(wanted.selector()), NodeSnapshot::read));
    maintenances =
        reflector(
            http, Reflector.Kind.of(StatusSources.MAINTENANCES, NotifyMaintenanceObject::read));
    drains = reflector(http, Reflector.Kind.of(StatusSources.DRAINS, DrainRequestSnapshot::read));
  }

  private <T> Reflector<T> reflector(KubeHttp http, Reflector.Kind<T> kind) {
    return new Reflector<>(http, kind, new Reflector.Waker<>(bell::ring), Backoff.USUAL);
  }

  /** What is shown first was read before, so nobody waits for the first list. */
  void start() {
    cord.start();
    nodes.start();
    maintenances.start();
    drains.start();
  }

  /** Returns after a change, or when ages are to be shown anew. */
  void awaitChange(Duration most) throws InterruptedException {
    if (bell.await(most)) {
      bell.gather(GATHERING);
    }
  }

  /** False until the nodes are known. */
  boolean isReady() {
    return nodes.state().unsynced().isEmpty();
  }

  /**
   * As it is now.
   *
   * @param before what is not known, or no longer, is taken from it
   */
  StatusSnapshot at(StatusSnapshot before) {
    List<String> notes = new ArrayList<>();
    List<NodeSnapshot> seen =
        known("Nodes", nodes, before.nodes(), notes).stream()
            .filter(node -> names.isEmpty() || names.contains(node.name()))
            .toList();
    return new StatusSnapshot(
        seen,
        known("NotifyMaintenances", maintenances, before.maintenances(), notes),
        known("DrainRequests", drains, before.drains(), notes),
        cord.state().unsynced().isEmpty()
            ? cord.state().items().stream().map(Object::toString).findFirst()
            : before.stopped(),
        notes.isEmpty() ? before.notes() : notes);
  }

  private static <T> List<T> known(
      String what, Reflector<T> reflector, List<T> before, List<String> notes) {
    Reflector.State<T> state = reflector.state();
    state.unsynced().ifPresent(why -> notes.add(what + " as they were: " + why));
    return state.unsynced().isEmpty() ? state.items() : before;
  }

  @Override
  public void close() {
    cord.close();
    nodes.close();
    maintenances.close();
    drains.close();
  }
}
