package dev.drydock.sim.kubelet;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An informer's store that passes every object on and keeps only names and versions. So all listed
 * objects have been processed when the informer reports that it is synchronized, and no object
 * stays in memory.
 */
final class ObservingStore<T extends HasMetadata> implements ItemStore<T> {
  private final Map<String, T> husks = new ConcurrentHashMap<>();
  private final Supplier<T> empty;
  private final Consumer<T> onPresent;
  private final Consumer<ObjectMeta> onGone;

  ObservingStore(Supplier<T> empty, Consumer<T> onPresent, Consumer<ObjectMeta> onGone) {
    this.empty = empty;
    this.onPresent = onPresent;
    this.onGone = onGone;
  }

  @Override
  public String getKey(T object) {
    return Cache.metaNamespaceKeyFunc(object);
  }

  @Override
  public @Nullable T put(String key, T object) {
    onPresent.accept(object);
    ObjectMeta metadata = object.getMetadata();
    T husk = empty.get();
    husk.setMetadata(
        new ObjectMetaBuilder()
            .withNamespace(metadata.getNamespace())
            .withName(metadata.getName())
            .withUid(metadata.getUid())
            .withResourceVersion(metadata.getResourceVersion())
            .build());
    return husks.put(key, husk);
  }

  @Override
  public @Nullable T remove(String key) {
    T husk = husks.remove(key);
    if (husk != null) {
      onGone.accept(husk.getMetadata());
    }
    return husk;
  }

  @Override
  public Stream<String> keySet() {
    return husks.keySet().stream();
  }

  @Override
  public Stream<T> values() {
    return husks.values().stream();
  }

  @Override
  public int size() {
    return husks.size();
  }

  @Override
  public @Nullable T get(String key) {
    return husks.get(key);
  }

  @Override
  public boolean isFullState() {
    return false;
  }
}
