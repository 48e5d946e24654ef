package dev.drydock.kube;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One control loop per key, e.g. per node or object, created when the key is first woken. The loops
 * run concurrently; a failing one does not delay the others.
 */
public final class ControlLoops<K> implements AutoCloseable {
  private final ControlLoop.Kind kind;
  private final Function<K, Reconciler> factory;
  private final Map<K, Entry> entries = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** Reconciles one key. State that it keeps between steps is dropped with the key. */
  @FunctionalInterface
  public interface Reconciler extends AutoCloseable {
    /**
     * The latest time of the next step; empty if nothing is left to do for the key. The key is then
     * forgotten, unless it was woken meanwhile.
     */
    Optional<Instant> step();

    /** Called when its key is forgotten or the loops are closed. */
    @Override
    default void close() {}
  }

  ControlLoops(ControlLoop.Kind kind, Function<K, Reconciler> factory) {
    this.kind = kind;
    this.factory = factory;
  }

  /** Wakes the key's loop, because something may have changed. */
  public void wake(K key) {
    var _ = entries.compute(key, this::woken);
  }

  private @Nullable Entry woken(K key, @Nullable Entry present) {
    if (closed) {
      return present;
    }
    Entry entry = present == null ? new Entry(key) : present;
    entry.wakeUps++;
    entry.loop.wake();
    return entry;
  }

  /** Wakes the loops of all current keys. */
  public void wakeAll() {
    keys().forEach(key -> entries.computeIfPresent(key, this::woken));
  }

  /** The current keys. */
  public List<K> keys() {
    return List.copyOf(entries.keySet());
  }

  public boolean serves(K key) {
    return entries.containsKey(key);
  }

  /** Stops all loops; does not wait for running steps. */
  @Override
  public void close() {
    closed = true;
    entries.values().forEach(Entry::close);
    entries.clear();
  }

  private final class Entry {
    private final K key;
    private final Reconciler reconciler;
    private final ControlLoop loop;
    private long wakeUps;

    Entry(K key) {
      this.key = key;
      reconciler = factory.apply(key);
      loop = new ControlLoop(kind, String.valueOf(key), this::step);
    }

    private Instant step() {
      long before = wakeUpsNow();
      return reconciler.step().orElseGet(() -> retire(before));
    }

    /** Holds the same lock as wake-ups, so that none is lost in between. */
    private long wakeUpsNow() {
      long[] now = new long[1];
      change(entry -> now[0] = entry.wakeUps);
      return now[0];
    }

    private Instant retire(long asOf) {
      var _ =
          entries.computeIfPresent(
              key,
              (_, entry) -> {
                boolean unheard = !entry.equals(this) || entry.wakeUps != asOf;
                if (unheard) {
                  return entry;
                }
                close();
                return null;
              });
      return Instant.MAX;
    }

    private void change(Consumer<Entry> change) {
      var _ =
          entries.computeIfPresent(
              key,
              (_, entry) -> {
                change.accept(entry);
                return entry;
              });
    }

    void close() {
      loop.close();
      reconciler.close();
    }
  }
}
