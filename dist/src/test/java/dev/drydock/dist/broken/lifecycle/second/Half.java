package dev.drydock.dist.broken.lifecycle.second;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.lifecycle.first.@org.jspecify.annotations.Nullable Half other;
}
