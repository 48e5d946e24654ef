package dev.drydock.dist.broken.simulate;

/** Knows a module that it must not know. */
public class Stray {
  public dev.drydock.dist.broken.testbed.@org.jspecify.annotations.Nullable Stray wrong;
}
