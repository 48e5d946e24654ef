package dev.drydock.slurm.bridge;

import dev.drydock.slurm.bridge.decide.SlurmView;

/** What the bridge asks of Slurm. */
public interface SlurmApi {
  /**
   * All nodes, and when their jobs end.
   *
   * @throws SlurmFailure if Slurm did not answer, or answered with an error
   */
  SlurmView.Seen look();

  /**
   * Gives the node no new jobs; those that run go on.
   *
   * @throws SlurmFailure if it is not known that this was done
   */
  void drain(String node, String reason);

  /**
   * Gives the node jobs again.
   *
   * @throws SlurmFailure if it is not known that this was done
   */
  void resume(String node);
}
