package dev.drydock.serve.feature;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** The time during which a process leads, and what features share meanwhile. */
public final class LeaderTerm implements AutoCloseable {
  private final Map<Class<?>, AutoCloseable> shared = new LinkedHashMap<>();

  /** Made by whoever asks first; closed after all features are. */
  public synchronized <T extends AutoCloseable> T shared(Class<T> type, Supplier<T> maker) {
    AutoCloseable found = shared.get(type);
    if (found == null) {
      found = maker.get();
      shared.put(type, found);
    }
    return type.cast(found);
  }

  @Override
  public synchronized void close() throws Exception {
    for (AutoCloseable each : shared.values()) {
      each.close();
    }
    shared.clear();
  }
}
