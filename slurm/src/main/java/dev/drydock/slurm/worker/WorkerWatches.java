package dev.drydock.slurm.worker;

import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import dev.drydock.kube.Watch;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** All Nodes, and the Pods that are Slurm's workers, kept up to date until closed. */
public final class WorkerWatches implements AutoCloseable {
  private final Watch<WorkerNodeObject> nodes;
  private final Watch<WorkerPodObject> pods;

  /**
   * @param workers the Pods that count
   * @param changed gets the name of a Node if something about it or its workers changed
   * @param refreshed all may have changed, or it is not known any more
   */
  public WorkerWatches(Kube kube, Source workers, Consumer<String> changed, Runnable refreshed) {
    nodes =
        kube.watches()
            .of(
                Watch.Kind.of(Resource.NODES.all(), WorkerNodeObject::read)
                    .groupedBy(node -> node.facts().name()),
                new NodeListener(changed, refreshed));
    pods =
        kube.watches()
            .of(
                Watch.Kind.of(workers, WorkerPodObject::read).groupedBy(pod -> pod.facts().node()),
                Watch.Listener.keyed(pod -> pod.facts().node(), changed, refreshed));
  }

  /** Nodes change often, and mostly in ways that do not matter here. */
  private record NodeListener(Consumer<String> wake, Runnable wakeAll)
      implements Watch.Listener<WorkerNodeObject> {
    @Override
    public void changed(@Nullable WorkerNodeObject before, @Nullable WorkerNodeObject after) {
      if (before != null && after != null && before.facts().equals(after.facts())) {
        return;
      }
      Stream.of(before, after)
          .flatMap(Stream::ofNullable)
          .findFirst()
          .ifPresent(node -> wake.accept(node.facts().name()));
    }

    @Override
    public void refreshed() {
      wakeAll.run();
    }
  }

  public WorkerWatches start() {
    nodes.start();
    pods.start();
    return this;
  }

  /** Why it is not known what there is, if so. */
  public Optional<String> unknown() {
    return unsynced("nodes", nodes.state("")).or(() -> unsynced("pods", pods.state("")));
  }

  private static Optional<String> unsynced(String what, Watch.State<?> state) {
    Map<String, String> unreadable = state.unreadable();
    return state
        .unsynced()
        .or(
            () ->
                unreadable.entrySet().stream()
                    .map(each -> each.getKey() + ": " + each.getValue())
                    .findFirst())
        .map(why -> "the %s are not known: %s".formatted(what, why));
  }

  public Optional<WorkerNodeObject> node(String name) {
    return nodes.state(name).items().stream().findFirst();
  }

  /** The workers on a Node, in the order of their names. */
  public List<WorkerPodObject> podsOn(String node) {
    return pods.state(node).items().stream()
        .sorted(Comparator.comparing(pod -> pod.facts().toString()))
        .toList();
  }

  /** The names of all Nodes with workers, and of those whose workers were drained in Slurm. */
  public List<String> concerned() {
    return Stream.concat(
            pods.state().items().stream().map(pod -> pod.facts().node()),
            nodes.state().items().stream()
                .filter(node -> node.facts().drainRecord().isPresent())
                .map(node -> node.facts().name()))
        .filter(node -> !node.isEmpty())
        .distinct()
        .toList();
  }

  @Override
  public void close() {
    nodes.close();
    pods.close();
  }
}
