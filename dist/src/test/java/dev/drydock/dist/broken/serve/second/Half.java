package dev.drydock.dist.broken.serve.second;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.serve.first.@org.jspecify.annotations.Nullable Half other;
}
