package dev.drydock.bench;

import dev.drydock.health.store.EventStore;
import dev.drydock.health.store.embedded.EmbeddedStore;
import dev.drydock.kube.time.TimeSource;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The embedded store, which this process may read meanwhile. */
final class HealthFolder implements HealthStorage {
  private final Path folder;
  private @Nullable EventStore store;

  HealthFolder(Path folder) {
    this.folder = folder;
  }

  @Override
  public List<String> flags() {
    return List.of("--event-store-kind=embedded", "--event-store-folder=" + folder);
  }

  @Override
  public boolean isMade() {
    return EmbeddedStore.existsIn(folder);
  }

  /** Once it is made. */
  EventStore store() {
    EventStore open = store;
    if (open == null) {
      open = EmbeddedStore.open(folder, TimeSource.REAL);
      store = open;
    }
    return open;
  }

  @Override
  public long count() {
    return store().count();
  }

  @Override
  public void close() {
    EventStore open = store;
    if (open != null) {
      open.close();
    }
  }
}
