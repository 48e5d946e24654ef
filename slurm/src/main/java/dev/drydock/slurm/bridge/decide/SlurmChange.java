package dev.drydock.slurm.bridge.decide;

import dev.drydock.slurm.worker.decide.WorkerNode.DrainRecord;
import java.util.List;

/** What is to be done about a Node in Slurm; the first that applies. */
public sealed interface SlurmChange {
  /** Nothing. */
  record None() implements SlurmChange {}

  /**
   * Write down on the Node what is about to be drained in Slurm, so that whatever happens next, the
   * drain is known to be ours.
   */
  record Announce(DrainRecord drain) implements SlurmChange {}

  /** Drain these nodes in Slurm. */
  record Drain(List<String> slurmNodes, String reason) implements SlurmChange {
    public Drain {
      slurmNodes = List.copyOf(slurmNodes);
    }
  }

  /** Let Slurm use these nodes again. */
  record Resume(List<String> slurmNodes) implements SlurmChange {
    public Resume {
      slurmNodes = List.copyOf(slurmNodes);
    }
  }

  /** Nothing of ours is left in Slurm: remove what was written down. */
  record Forget() implements SlurmChange {}

  /** A drain has to wait. */
  record Wait(String why) implements SlurmChange {}
}
