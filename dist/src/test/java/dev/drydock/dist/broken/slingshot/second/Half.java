package dev.drydock.dist.broken.slingshot.second;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.slingshot.first.@org.jspecify.annotations.Nullable Half other;
}
