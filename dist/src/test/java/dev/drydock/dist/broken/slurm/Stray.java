package dev.drydock.dist.broken.slurm;

/** Knows a module that it must not know. */
public class Stray {
  public dev.drydock.dist.broken.lifecycle.@org.jspecify.annotations.Nullable Stray wrong;
}
