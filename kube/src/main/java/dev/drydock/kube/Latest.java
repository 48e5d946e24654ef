package dev.drydock.kube;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The newest of what a watch says and what our own writes answered: the watch lags behind them. For
 * use by one thread at a time.
 */
public final class Latest<T extends Versioned> {
  private final Map<String, T> written = new HashMap<>();
  private final Set<String> gone = new HashSet<>();

  /** What a write of ours answered. */
  public T wrote(T object) {
    written.put(object.uid(), object);
    return object;
  }

  /** We saw that it is gone; the watch will say so as well. */
  public void gone(T object) {
    gone.add(object.uid());
    written.remove(object.uid());
  }

  /** Of all that the watch knows; what it does not know any more is forgotten here too. */
  public List<T> of(Collection<T> watched) {
    Set<String> known = watched.stream().map(Versioned::uid).collect(Collectors.toSet());
    written.keySet().retainAll(known);
    gone.retainAll(known);
    return watched.stream().filter(object -> !gone.contains(object.uid())).map(this::of).toList();
  }

  /** The newer of what the watch says about an object and what we wrote to it. */
  public T of(T watched) {
    T ours = written.get(watched.uid());
    return ours != null && ours.isNewerThan(watched) ? ours : watched;
  }
}
