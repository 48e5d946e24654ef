package dev.drydock.serve.feature;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The time during which a process leads, and what features share meanwhile. What they share ends
 * before they do, so that nothing is drained while they are still being closed.
 */
public final class LeaderTerm implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderTerm.class);

  private final Map<Class<?>, AutoCloseable> shared = new LinkedHashMap<>();
  private boolean over;

  /**
   * Made by whoever asks first; closed before the features are.
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

  private static void close(Class<?> type, AutoCloseable each) {
    try {
      each.close();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (Exception failed) {
      LOG.warn("{} did not close: {}", type.getSimpleName(), failed.getMessage());
    }
  }
}
