package dev.drydock.maintenance.decide;

import java.time.Duration;
import java.util.Optional;

/** The facts about a class that decisions need. */
public record ClassFacts(
    boolean drainsOutside, Work work, Proof proof, Optional<Duration> deadline) {

  /** Who does the work. */
  public enum Work {
    JOB,
    OUTSIDE
  }

  /** Who validates the node. */
  public enum Prover {
    JOB,
    OUTSIDE,
    NOBODY
  }

  /**
   * How the node is validated.
   *
   * @param soak how long it must stay ready after the Job succeeded
   * @param retries how often a failed Job is retried
   */
  public record Proof(Prover by, Duration soak, int retries) {}
}
