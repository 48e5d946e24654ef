package dev.drydock.dist.broken.slurm.first;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.slurm.second.@org.jspecify.annotations.Nullable Half other;
}
