package dev.drydock.dist.broken.testkit;

/** Knows a module that it must not know. */
public class Stray {
  public dev.drydock.dist.broken.edge.@org.jspecify.annotations.Nullable Stray wrong;
}
