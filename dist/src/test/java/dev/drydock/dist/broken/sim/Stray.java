package dev.drydock.dist.broken.sim;

/** Knows a module that it must not know. */
public class Stray {
  public dev.drydock.dist.broken.app.@org.jspecify.annotations.Nullable Stray wrong;
}
