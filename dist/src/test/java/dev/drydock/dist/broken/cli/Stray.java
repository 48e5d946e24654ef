package dev.drydock.dist.broken.cli;

/** Knows a module that it must not know. */
public class Stray {
  public dev.drydock.dist.broken.kube.@org.jspecify.annotations.Nullable Stray wrong;
}
