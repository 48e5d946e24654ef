package dev.drydock.dist.broken.drain.first;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.drain.second.@org.jspecify.annotations.Nullable Half other;
}
