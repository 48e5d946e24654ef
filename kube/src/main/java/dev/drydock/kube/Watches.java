package dev.drydock.kube;

import java.util.HashMap;
import java.util.Map;

/**
 * All lists that this process keeps up to date: one list and watch per source, however many want to
 * know about it.
 */
public final class Watches {
  private final Kube kube;
  private final Map<Source, SharedWatch> bySource = new HashMap<>();

  Watches(Kube kube) {
    this.kube = kube;
  }

  /** To be started when the listener can be told. */
  public <T> Watch<T> of(Watch.Kind<T> kind, Watch.Listener<T> listener) {
    return of(kind, listener, Backoff.USUAL);
  }

  /**
   * To be started when the listener can be told.
   *
   * @param backoff counts if nobody else watches the source
   */
  public <T> Watch<T> of(Watch.Kind<T> kind, Watch.Listener<T> listener, Backoff backoff) {
    return new Watch<>(this, kind, listener, backoff);
  }

  /** Whether somebody in this process watches the source already, so that joining costs little. */
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
