package dev.drydock.dist.broken.edge.first;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.edge.second.@org.jspecify.annotations.Nullable Half other;
}
