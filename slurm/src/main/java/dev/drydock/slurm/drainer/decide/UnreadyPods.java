package dev.drydock.slurm.drainer.decide;

/** What is done about pods that are not Ready and that Slurm has not drained. */
public enum UnreadyPods {
  /** They may run jobs, so they are waited for. */
  WAIT,
  /** They are deleted with the others. */
  IGNORE
}
