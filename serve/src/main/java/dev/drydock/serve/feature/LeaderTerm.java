package dev.drydock.serve.feature;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One term of leadership, and the objects that features share during it. */
public final class LeaderTerm implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderTerm.class);

  private final Map<Class<?>, AutoCloseable> shared = new LinkedHashMap<>();

  /** Created on first use; closed after the features. */
  public synchronized <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> maker) {
    AutoCloseable found = shared.get(type);
    if (found == null) {
      found = maker.get();
      shared.put(type, found);
    }
    return type.cast(found);
  }

  @Override
  public synchronized void close() {
    shared.forEach(LeaderTerm::close);
    shared.clear();
  }

  private static void close(Class<?> type, AutoCloseable each) {
    try {
      each.close();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (Exception failed) {
      LOG.warn("cannot close {}: {}", type.getSimpleName(), failed.getMessage());
    }
  }
}
