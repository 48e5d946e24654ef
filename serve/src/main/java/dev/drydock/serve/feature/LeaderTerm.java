package dev.drydock.serve.feature;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One term of leadership, and the objects that features share during it. They are closed before the
 * features, so that nothing is drained while features are still closing.
 */
public final class LeaderTerm implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderTerm.class);

  private final Map<Class<?>, AutoCloseable> shared = new LinkedHashMap<>();
  private boolean over;

  /**
   * Created on first use; closed before the features.
   *
   * @throws IllegalStateException when the term is over
   */
  public synchronized <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> maker) {
    if (over) {
      throw new IllegalStateException("this process does not lead any more");
    }
    AutoCloseable found = shared.get(type);
    if (found == null) {
      found = maker.get();
      shared.put(type, found);
    }
    return type.cast(found);
  }

  @Override
  public synchronized void close() {
    over = true;
    shared.forEach(LeaderTerm::close);
    shared.clear();
  }

  /** Closes one of several: if it fails, the others are still closed. */
  public static void close(Class<?> type, AutoCloseable each) {
    try {
      each.close();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (Exception failed) {
      LOG.warn("cannot close {}: {}", type.getSimpleName(), failed.getMessage());
    }
  }
}
