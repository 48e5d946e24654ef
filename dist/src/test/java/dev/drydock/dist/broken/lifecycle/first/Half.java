package dev.drydock.dist.broken.lifecycle.first;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.lifecycle.second.@org.jspecify.annotations.Nullable Half other;
}
