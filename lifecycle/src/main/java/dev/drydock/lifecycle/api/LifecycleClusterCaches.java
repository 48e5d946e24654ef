package dev.drydock.lifecycle.api;

import static dev.drydock.kube.Fields.text;

import dev.drydock.contracts.lifecycle.LifecycleNames;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Watch;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The LifecycleEvents of a cluster, and its nodes by name, kept up to date by watches. */
public final class LifecycleClusterCaches implements AutoCloseable {
  private final Watch<String> nodes;
  private final List<Watch<LifecycleEventObject>> events;

  /** Report events that cannot be read whole; what can be read of them is in the others. */
  private final List<Watch<LifecycleEventObject>> checked;

  /**
   * @param changed gets the UID of an event after each change that concerns it, on any thread
   */
  public LifecycleClusterCaches(Kube kube, Consumer<String> changed) {
    nodes =
        kube.watches()
            .of(
                Watch.Kind.of(Resource.NODES.all(), node -> text(node.path("metadata"), "name")),
                new NodesComeAndGo(() -> tellAll(changed)));
    events =
        LifecycleNames.GROUPS.stream()
            .map(
                group ->
                    kube.watches()
                        .of(
                            Watch.Kind.of(
                                    LifecyclePaths.events(group),
                                    event -> LifecycleEventObject.read(group, event))
                                .ifServed()
                                .reportingUnreadable(LifecyclePaths.eventKind(group)),
                            new EventChanges(changed),
                            LifecycleNodeCaches.SLOW_BACKOFF))
            .toList();
    checked = LifecycleNames.GROUPS.stream().map(group -> checked(kube, group)).toList();
  }

  private static Watch<LifecycleEventObject> checked(Kube kube, String group) {
    return kube.watches()
        .of(
            Watch.Kind.of(
                    LifecyclePaths.events(group), event -> LifecycleEventObject.check(group, event))
                .ifServed(),
            Watch.Listener.waking(() -> {}),
            LifecycleNodeCaches.SLOW_BACKOFF);
  }

  private void tellAll(Consumer<String> changed) {
    events().forEach(event -> changed.accept(event.uid()));
  }

  public void start() {
    nodes.start();
    events.forEach(Watch::start);
    checked.forEach(Watch::start);
  }

  /** Empty while the watch is out of sync. */
  public Optional<Set<String>> nodes() {
    Watch.State<String> state = nodes.state();
    return state.unsynced().isPresent()
        ? Optional.empty()
        : Optional.of(new HashSet<>(state.items()));
  }

  public List<LifecycleEventObject> events() {
    return events.stream()
        .map(Watch::state)
        .filter(state -> state.unsynced().isEmpty())
        .flatMap(state -> state.items().stream())
        .toList();
  }

  @Override
  public void close() {
    nodes.close();
    events.forEach(Watch::close);
    checked.forEach(Watch::close);
  }

  /** Other events of a node wait for the one that is at work. */
  private final class EventChanges implements Watch.Listener<LifecycleEventObject> {
    private final Consumer<String> changed;

    EventChanges(Consumer<String> changed) {
      this.changed = changed;
    }

    @Override
    public void changed(
        @Nullable LifecycleEventObject before, @Nullable LifecycleEventObject after) {
      LifecycleEventObject event = after == null ? before : after;
      if (event == null) {
        return;
      }
      changed.accept(event.uid());
      if (isAtWork(before) != isAtWork(after)) {
        events().stream()
            .filter(other -> other.node().equals(event.node()))
            .forEach(other -> changed.accept(other.uid()));
      }
    }

    private static boolean isAtWork(@Nullable LifecycleEventObject event) {
      return event != null && event.facts().isAtWork();
    }

    @Override
    public void refreshed() {
      tellAll(changed);
    }
  }

  /** Nodes change all the time; only those that come and go matter. */
  private record NodesComeAndGo(Runnable changed) implements Watch.Listener<String> {
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
