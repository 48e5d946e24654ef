package dev.drydock.dist.broken.edge.second;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.edge.first.@org.jspecify.annotations.Nullable Half other;
}
