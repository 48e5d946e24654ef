package dev.drydock.dist.broken.serve.first;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.serve.second.@org.jspecify.annotations.Nullable Half other;
}
