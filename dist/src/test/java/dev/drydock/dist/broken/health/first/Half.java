package dev.drydock.dist.broken.health.first;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.health.second.@org.jspecify.annotations.Nullable Half other;
}
