package dev.drydock.drain.engine.decide;

import java.util.Comparator;

/** One pod by UID: a pod that is recreated with the same name is another pod. */
public record PodRef(String namespace, String name, String uid) implements Comparable<PodRef> {
  private static final Comparator<PodRef> ORDER =
      Comparator.comparing(PodRef::namespace)
          .thenComparing(PodRef::name)
          .thenComparing(PodRef::uid);

  @Override
  public int compareTo(PodRef other) {
    return ORDER.compare(this, other);
  }

  /** For people, without the UID. */
  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
