package dev.drydock.dist.broken.drain.second;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.drain.first.@org.jspecify.annotations.Nullable Half other;
}
