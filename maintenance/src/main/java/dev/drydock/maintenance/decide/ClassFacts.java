package dev.drydock.maintenance.decide;

import java.time.Duration;
import java.util.Optional;

/** How maintenances of a class are done, as decisions see it. */
public record ClassFacts(
    boolean drainsOutside, Work work, Proof proof, Optional<Duration> deadline) {

  /** Who does the work. */
  public enum Work {
    JOB,
    OUTSIDE
  }

  /** Who proves the node fit. */
  public enum Prover {
    JOB,
    OUTSIDE,
    NOBODY
  }

  /**
   * How the node is proved fit.
   *
   * @param soak how long it must stay ready after the Job succeeded
   * @param retries how often a failed Job is tried again
   */
  public record Proof(Prover by, Duration soak, int retries) {}
}
