package dev.drydock.dist.broken.slingshot;

/** Knows a module that it must not know. */
public class Stray {
  public dev.drydock.dist.broken.lifecycle.@org.jspecify.annotations.Nullable Stray wrong;
}
