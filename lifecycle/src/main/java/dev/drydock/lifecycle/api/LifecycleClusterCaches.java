package dev.drydock.lifecycle.api;

import static dev.drydock.kube.Fields.text;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.Backoff;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Reflector;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The LifecycleEvents of a cluster, and its nodes by name, kept up to date by watches. */
public final class LifecycleClusterCaches implements AutoCloseable {
  /** A group may come later. */
  private static final Backoff PATIENT = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1));

  private final Reflector<String> nodes;
  private final List<Reflector<LifecycleEventObject>> events;

  /**
   * @param changed told after each change, on any thread
   */
  public LifecycleClusterCaches(KubeHttp http, Runnable changed) {
    nodes =
        new Reflector<>(
            http,
            Reflector.Kind.of(
                LifecyclePaths.ALL_NODES, node -> text(node.path("metadata"), "name")),
            new NewNames(changed),
            Backoff.USUAL);
    events =
        LifecycleNames.GROUPS.stream()
            .map(
                group ->
                    new Reflector<LifecycleEventObject>(
                        http,
                        Reflector.Kind.of(
                            LifecyclePaths.events(group),
                            event -> LifecycleEventObject.read(group, event)),
                        new Reflector.Waker<>(changed),
                        PATIENT))
            .toList();
  }

  public void start() {
    nodes.start();
    events.forEach(Reflector::start);
  }

  /** Empty while nobody knows. */
  public Optional<Set<String>> nodes() {
    Reflector.State<String> state = nodes.state();
    return state.unsynced().isPresent()
        ? Optional.empty()
        : Optional.of(new HashSet<>(state.items()));
  }

  public List<LifecycleEventObject> events() {
    return events.stream()
        .map(Reflector::state)
        .filter(state -> state.unsynced().isEmpty())
        .flatMap(state -> state.items().stream())
        .toList();
  }

  @Override
  public void close() {
    nodes.close();
    events.forEach(Reflector::close);
  }

  /** Nodes change all the time; only those that come and go matter. */
  private record NewNames(Runnable changed) implements Reflector.Listener<String> {
    @Override
    public void changed(@Nullable String before, @Nullable String after) {
      if (before == null || after == null) {
        changed.run();
      }
    }

    @Override
    public void refreshed() {
      changed.run();
    }
  }
}
