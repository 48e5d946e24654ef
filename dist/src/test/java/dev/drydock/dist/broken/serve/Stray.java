package dev.drydock.dist.broken.serve;

/** Knows a module that it must not know. */
public class Stray {
  public dev.drydock.dist.broken.drain.@org.jspecify.annotations.Nullable Stray wrong;
}
