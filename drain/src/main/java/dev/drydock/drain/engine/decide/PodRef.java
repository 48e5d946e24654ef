package dev.drydock.drain.engine.decide;

import java.util.Comparator;

/** One pod, once: a pod that comes back under the same name has another UID and is another pod. */
public record PodRef(String namespace, String name, String uid) implements Comparable<PodRef> {
  private static final Comparator<PodRef> ORDER =
      Comparator.comparing(PodRef::namespace)
          .thenComparing(PodRef::name)
          .thenComparing(PodRef::uid);

  @Override
  public int compareTo(PodRef other) {
    return ORDER.compare(this, other);
  }

  /** As people write it; the UID is for machines. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
