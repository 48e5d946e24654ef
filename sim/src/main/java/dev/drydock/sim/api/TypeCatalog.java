package dev.drydock.sim.api;

import dev.drydock.sim.store.Store;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** All types that the server serves: built-in and custom. */
public final class TypeCatalog {
  private final List<ResourceType> types = new CopyOnWriteArrayList<>();
  private final Store store;

  public TypeCatalog(Store store, List<ResourceType> builtIn) {
    this.store = store;
    builtIn.forEach(this::add);
  }

  private void add(ResourceType type) {
    store.open(type.resource());
    types.add(type);
  }

  public @Nullable ResourceType find(String group, String version, String plural) {
    return types.stream()
        .filter(type -> type.group().equals(group) && type.version().equals(version))
        .filter(type -> type.names().plural().equals(plural))
        .findFirst()
        .orElse(null);
  }

  public @Nullable ResourceType ofKind(String apiVersion, String kind) {
    return types.stream()
        .filter(type -> type.apiVersion().equals(apiVersion) && type.names().kind().equals(kind))
        .findFirst()
        .orElse(null);
  }

  /** A built-in type. */
  public ResourceType require(String group, String plural) {
    return types.stream()
        .filter(type -> type.group().equals(group) && type.names().plural().equals(plural))
        .findFirst()
        .orElseThrow();
  }

  /** The preferred version of a stored resource. */
  public @Nullable ResourceType ofResource(String resource) {
    return types.stream().filter(type -> type.resource().equals(resource)).findFirst().orElse(null);
  }

  public List<ResourceType> all() {
    return types.stream()
        .sorted(
            Comparator.comparing(ResourceType::group)
                .thenComparing(ResourceType::version)
                .thenComparing(type -> type.names().plural()))
        .toList();
  }

  /** One type for each stored resource. */
  public List<ResourceType> stored() {
    List<ResourceType> once = new ArrayList<>();
    for (ResourceType type : all()) {
      if (once.stream().noneMatch(other -> other.resource().equals(type.resource()))) {
        once.add(type);
      }
    }
    return once;
  }

  /** Serves exactly these versions of a resource. */
  public void define(String resource, List<ResourceType> versions) {
    types.removeIf(type -> type.resource().equals(resource));
    versions.forEach(this::add);
  }

  /** Stops serving a resource. */
  public void forget(String resource) {
    types.removeIf(type -> type.resource().equals(resource));
    store.drop(resource);
  }
}
