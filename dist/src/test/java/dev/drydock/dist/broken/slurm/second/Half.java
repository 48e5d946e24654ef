package dev.drydock.dist.broken.slurm.second;

/** One half of a cycle. */
public class Half {
  public dev.drydock.dist.broken.slurm.first.@org.jspecify.annotations.Nullable Half other;
}
