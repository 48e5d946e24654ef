package dev.drydock.dist.broken.maintenance.second;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.maintenance.first.@org.jspecify.annotations.Nullable Half other;
}
