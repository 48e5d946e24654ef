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
 * A control loop for each key, e.g. for each node or object, made when the key is first woken. The
 * loops run side by side; one that fails holds up no other.
 */
public final class ControlLoops<K> implements AutoCloseable {
  private final ControlLoop.Kind kind;
  private final Function<K, Reconciler> factory;
  private final Map<K, Entry> entries = new ConcurrentHashMap<>();
  private volatile boolean closed;

  /** Serves one key. What it keeps between steps goes with it. */
  @FunctionalInterface
  public interface Reconciler extends AutoCloseable {
    /**
     * When to look again at the latest; empty if nothing is left to do for the key, which is then
     * forgotten unless it was woken meanwhile.
     */
    Optional<Instant> step();

    /** Called when its key is forgotten, or the loops are closed. */
    @Override
    default void close() {}
  }

  ControlLoops(ControlLoop.Kind kind, Function<K, Reconciler> factory) {
    this.kind = kind;
    this.factory = factory;
  }

  /** Something about the key may have changed. */
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

  /** Anything may have changed about the keys that are served. */
  public void wakeAll() {
    keys().forEach(key -> entries.computeIfPresent(key, this::woken));
  }

  /** Those that are served now. */
  public List<K> keys() {
    return List.copyOf(entries.keySet());
  }

  public boolean serves(K key) {
    return entries.containsKey(key);
  }

  /** Ends where it is; steps that run are not waited for. */
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

    /** Under the same lock as wake-ups, so that none is lost between the two. */
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
