package dev.drydock.health.consume;

import dev.drydock.kube.Versioned;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest version of each Node, from the watch or from the answer to our own last write, which
 * the watch lags behind. Outlives the loops of the nodes: a decision to do nothing must not depend
 * on what the watch does not show yet. Thread-safe, with one writer per node.
 */
public final class LatestByNode<T extends Versioned> {
  private final Map<String, T> written = new ConcurrentHashMap<>();

  /** Records what was read or written, and returns it. */
  public T wrote(String node, T object) {
    written.put(node, object);
    return object;
  }

  /** The newer of the watch's version and ours; empty if the watch has no such node. */
  public Optional<T> of(String node, Optional<T> watched) {
    T ours = written.get(node);
    if (ours == null) {
      return watched;
    }
    if (watched.isPresent() && ours.isNewerThan(watched.get())) {
      return Optional.of(ours);
    }
    written.remove(node, ours);
    return watched;
  }
}
