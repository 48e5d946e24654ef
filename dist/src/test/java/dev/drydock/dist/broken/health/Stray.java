package dev.drydock.dist.broken.health;

/** Knows a module that it must not know. */
public class Stray {
  public dev.drydock.dist.broken.slingshot.@org.jspecify.annotations.Nullable Stray wrong;
}
