package dev.drydock.dist.broken.maintenance.first;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.maintenance.second.@org.jspecify.annotations.Nullable Half other;
}
