package dev.drydock.slurm.bridge;

import dev.drydock.kube.ExpectedFailure;

/** Slurm refused something or did not answer; the message is one line for people. */
public final class SlurmFailure extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  public SlurmFailure(String line) {
    super(line);
  }
}
