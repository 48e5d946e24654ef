package dev.drydock.kube;

import java.util.HashMap;
import java.util.Map;

/** All watches of this process: one list-and-watch per source, shared by all its listeners. */
public final class Watches {
  private final Kube kube;
  private final Map<Source, SharedWatch> bySource = new HashMap<>();

  Watches(Kube kube) {
    this.kube = kube;
  }

  /** Returns a watch that is not started yet. */
  public <T> Watch<T> of(Watch.Kind<T> kind, Watch.Listener<T> listener) {
    return of(kind, listener, Backoff.DEFAULT);
  }

  /**
   * Returns a watch that is not started yet.
   *
   * @param backoff applies if nothing else watches the source
   */
  public <T> Watch<T> of(Watch.Kind<T> kind, Watch.Listener<T> listener, Backoff backoff) {
    return new Watch<>(this, kind, listener, backoff);
  }

  /** Whether this process watches the source already, so that joining is cheap. */
  public synchronized boolean isWatched(Source source) {
    return bySource.containsKey(source);
  }

  synchronized void join(Watch<?> watch) {
    shared(watch).join(watch);
  }

  synchronized <T> void joinFrom(Watch<T> watch, Map<String, T> facts, String version) {
    boolean isFirst = !isWatched(watch.source());
    SharedWatch shared = shared(watch);
    if (isFirst) {
      shared.joinFrom(watch, facts, version);
    } else {
      shared.join(watch);
    }
  }

  private SharedWatch shared(Watch<?> watch) {
    return bySource.computeIfAbsent(
        watch.source(),
        source -> {
          SharedWatch made = new SharedWatch(source, kube, watch.backoff());
          kube.health().added(made);
          return made;
        });
  }

  /** Without waiting for the answer. */
  void report(EventRecorder.Regarding regarding, EventRecorder.Occurrence occurrence, String note) {
    kube.time().execute(() -> kube.events().record(regarding, occurrence, note));
  }

  synchronized void leave(Watch<?> watch) {
    SharedWatch shared = bySource.get(watch.source());
    if (shared != null && shared.leave(watch)) {
      bySource.remove(watch.source());
      kube.health().removed(shared);
      shared.close();
    }
  }

  synchronized void close() {
    bySource.values().forEach(SharedWatch::close);
    bySource.clear();
  }
}
