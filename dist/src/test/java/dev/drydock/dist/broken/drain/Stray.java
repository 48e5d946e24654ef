package dev.drydock.dist.broken.drain;

/** Knows a module that it must not know. */
public class Stray {
  public dev.drydock.dist.broken.health.@org.jspecify.annotations.Nullable Stray wrong;
}
