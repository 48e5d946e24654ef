package dev.drydock.sim.contract;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A watch that records all its events. */
final class RecordedWatch<T extends HasMetadata> implements AutoCloseable {
  record Event<T>(Watcher.Action action, T object) {}

  private final List<Event<T>> events = new CopyOnWriteArrayList<>();
  private final Watch watch;

  private RecordedWatch(
      FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, ? extends Resource<T>>
          objects,
      ListOptions options) {
    watch =
        objects.watch(
            options,
            new Watcher<>() {
              @Override
              public void eventReceived(Action action, T object) {
                events.add(new Event<>(action, object));
              }

              @Override
              public void onClose(@Nullable WatcherException cause) {
                // a watch that ended early shows by its missing events
              }
            });
  }

  static <T extends HasMetadata> RecordedWatch<T> of(
      FilterWatchListDeletable<T, ? extends KubernetesResourceList<T>, ? extends Resource<T>>
          objects,
      ListOptions options) {
    return new RecordedWatch<>(objects, options);
  }

  List<Event<T>> events() {
    return events;
  }

  List<T> objects(Watcher.Action action) {
    return events.stream().filter(event -> event.action() == action).map(Event::object).toList();
  }

  /** The names of objects with this event type, in order. */
  List<String> names(Watcher.Action action) {
    return objects(action).stream().map(object -> object.getMetadata().getName()).toList();
  }

  @Override
  public void close() {
    watch.close();
  }
}
