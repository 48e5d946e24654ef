package dev.drydock.dist.broken.slingshot.first;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.slingshot.second.@org.jspecify.annotations.Nullable Half other;
}
