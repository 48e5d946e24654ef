package dev.drydock.kube;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The newest version of each object, from a watch or from the answers to our own writes, which the
 * watch lags behind. For use by one thread at a time.
 */
public final class Latest<T extends Versioned> {
  private final Map<String, T> written = new HashMap<>();
  private final Set<String> gone = new HashSet<>();

  /** Records the answer to one of our writes. */
  public T wrote(T object) {
    written.put(object.uid(), object);
    return object;
  }

  /** Records that the object is gone; the watch will report it later. */
  public void gone(T object) {
    gone.add(object.uid());
    written.remove(object.uid());
  }

  /**
   * The newest versions of all objects of the watch; forgets objects that the watch no longer has.
   */
  public List<T> of(Collection<T> watched) {
    Set<String> known = watched.stream().map(Versioned::uid).collect(Collectors.toSet());
    written.keySet().retainAll(known);
    gone.retainAll(known);
    return watched.stream().filter(object -> !gone.contains(object.uid())).map(this::of).toList();
  }

  /** Our own writes, including those of objects that the watch does not show yet. */
  public List<T> written() {
    return List.copyOf(written.values());
  }

  /** The newer of the watch's version and our own write's. */
  public T of(T watched) {
    T ours = written.get(watched.uid());
    return ours != null && ours.isNewerThan(watched) ? ours : watched;
  }
}
