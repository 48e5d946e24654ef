package dev.drydock.dist.broken.edge;

/** Knows a module that it must not know. */
public class Stray {
  public dev.drydock.dist.broken.maintenance.@org.jspecify.annotations.Nullable Stray wrong;
}
