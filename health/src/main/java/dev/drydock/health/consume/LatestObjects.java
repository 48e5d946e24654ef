package dev.drydock.health.consume;

import dev.drydock.kube.Versioned;
import dev.drydock.kube.Watch;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest version of each object of a watch that is grouped by name: the watch's, or that of our
 * own last write, which the watch lags behind. Outlives the loops of the objects: a decision to do
 * nothing must not depend on what the watch does not show yet. Thread-safe, with one writer per
 * name.
 */
public final class LatestObjects<T extends Versioned> {
  private final Watch<T> watch;
  private final Map<String, T> written = new ConcurrentHashMap<>();

  public LatestObjects(Watch<T> watch) {
    this.watch = watch;
  }

  /** Records what was read or written, and returns it. */
  public T wrote(String name, T object) {
    written.put(name, object);
    return object;
  }

  /** Empty if the watch has no such object. */
  public Optional<T> find(String name) {
    Optional<T> watched = watch.state(name).items().stream().findFirst();
    T ours = written.get(name);
    if (ours == null) {
      return watched;
    }
    if (watched.isPresent() && ours.isNewerThan(watched.get())) {
      return Optional.of(ours);
    }
    written.remove(name, ours);
    return watched;
  }
}
