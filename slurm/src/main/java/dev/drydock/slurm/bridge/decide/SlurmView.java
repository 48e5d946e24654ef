package dev.drydock.slurm.bridge.decide;

import java.time.Instant;
import java.util.Map;

/** What is known about Slurm. */
public sealed interface SlurmView {
  /**
   * What it answered last.
   *
   * @param nodes by name
   * @param jobsEnd when the last job of a node ends at its time limit, by the node's name; absent
   *     if no job runs there, or one has no limit
   */
  record Seen(Map<String, SlurmNode> nodes, Map<String, Instant> jobsEnd) implements SlurmView {
    public Seen {
      nodes = Map.copyOf(nodes);
      jobsEnd = Map.copyOf(jobsEnd);
    }
  }

  /** It did not answer, or not in a way that can be relied on. */
  record Unknown(String why) implements SlurmView {}
}
