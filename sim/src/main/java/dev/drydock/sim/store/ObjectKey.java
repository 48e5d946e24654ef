package dev.drydock.sim.store;

import java.util.Comparator;

/** Where an object of a resource is; the namespace is empty if the resource has none. */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
  private static final Comparator<ObjectKey> ORDER =
      Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

  @Override
  public int compareTo(ObjectKey other) {
    return ORDER.compare(this, other);
  }
}
