package dev.drydock.sim.store;

import java.util.Comparator;

/**
 * The key of an object within its resource; the namespace is empty for cluster-scoped resources.
 */
public record ObjectKey(String namespace, String name) implements Comparable<ObjectKey> {
  private static final Comparator<ObjectKey> ORDER =
      Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

  @Override
  public int compareTo(ObjectKey other) {
    return ORDER.compare(this, other);
  }
}
