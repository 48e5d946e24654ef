package dev.drydock.dist.broken.lifecycle;

/** Knows a module that it must not know. */
public class Stray {
  public dev.drydock.dist.broken.maintenance.@org.jspecify.annotations.Nullable Stray wrong;
}
