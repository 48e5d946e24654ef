package dev.drydock.dist.broken.health.second;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.health.first.@org.jspecify.annotations.Nullable Half other;
}
