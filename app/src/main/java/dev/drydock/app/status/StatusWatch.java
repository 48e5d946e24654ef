package dev.drydock.app.status;

import dev.drydock.drain.stop.AndonCord;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.Kube;
import dev.drydock.kube.WakeUp;
import dev.drydock.kube.Watch;
import dev.drydock.serve.command.NodeArguments;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.StatusEntry;
import dev.drydock.serve.feature.StatusPart;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Keeps the status up to date with watches. */
final class StatusWatch implements AutoCloseable {
  /** Changes usually come in groups. */
  private static final Duration GATHERING = Duration.ofMillis(100);

  private final WakeUp wakeUp = new WakeUp();
  private final Watch<NodeSnapshot> nodes;
  private final Map<StatusPart, Watch<StatusEntry>> parts = new LinkedHashMap<>();
  private final Watch<AndonCord.Pull> cord;
  private final Set<String> names;

  StatusWatch(Kube cluster, AndonCord cord, NodeArguments wanted) {
    this.cord = follow(cluster, cord.kind());
    names = Set.copyOf(wanted.names());
    nodes = follow(cluster, Watch.Kind.of(wanted.source(), NodeSnapshot::read));
    for (StatusPart part : Features.load().status()) {
      parts.put(part, follow(cluster, Watch.Kind.of(part.source(), part::read)));
    }
  }

  private <T> Watch<T> follow(Kube cluster, Watch.Kind<T> kind) {
    return cluster.watches().of(kind, Watch.Listener.waking(wakeUp::ring), Backoff.DEFAULT);
  }

  /** Does not wait for the first lists, because the first output was read before. */
  void start() {
    cord.start();
    nodes.start();
    parts.values().forEach(Watch::start);
  }

  /** Returns after a change, or when ages have to be refreshed. */
  void awaitChange(Duration most) throws InterruptedException {
    if (wakeUp.await(most)) {
      wakeUp.gather(GATHERING);
    }
  }

  /** False until the nodes are listed. */
  boolean isReady() {
    return nodes.state().unsynced().isEmpty();
  }

  /**
   * The current state.
   *
   * @param before supplies what is not known, or no longer
   */
  StatusSnapshot at(StatusSnapshot before) {
    List<String> notes = new ArrayList<>();
    List<NodeSnapshot> seen =
        known("Node", nodes, before.nodes(), notes).stream()
            .filter(node -> names.isEmpty() || names.contains(node.name()))
            .toList();
    List<StatusEntry> entries = new ArrayList<>();
    parts.forEach(
        (part, watch) -> entries.addAll(known(part.kind(), watch, before.entries(part), notes)));
    Watch.State<AndonCord.Pull> pull = cord.state();
    failure(pull).ifPresent(why -> notes.add(StatusReader.notChecked(why)));
    return new StatusSnapshot(
        seen,
        entries,
        pull.unsynced().isEmpty()
            ? pull.items().stream().map(Object::toString).findFirst()
            : before.stopped(),
        notes);
  }

  private static <T> List<T> known(
      String kind, Watch<T> watch, List<T> before, List<String> notes) {
    Watch.State<T> state = watch.state();
    failure(state).ifPresent(why -> notes.add(kind + "s as they were: " + why));
    new TreeMap<>(state.unreadable())
        .forEach((name, why) -> notes.add("%s %s cannot be read: %s".formatted(kind, name, why)));
    return state.unsynced().isEmpty() ? state.items() : before;
  }

  /** Before its first list a watch has not failed: what was read before it is not old. */
  private static Optional<String> failure(Watch.State<?> state) {
    return state.unsynced().filter(why -> !why.equals(Watch.NOT_LISTED));
  }

  @Override
  public void close() {
    cord.close();
    nodes.close();
    parts.values().forEach(Watch::close);
  }
}
