package dev.drydock.health.remediation.decide;

import java.time.Instant;

/**
 * What became of a maintenance resource.
 *
 * @param effect failures that were stored before this time are what the work was about
 * @param message why it failed, for people; empty if there is nothing to say
 */
public record AttemptEnd(Instant at, Instant effect, Result result, String message) {
  /** How it ended. */
  public enum Result {
    /** The work is done. Only a healthy event tells whether it helped. */
    DONE,
    FAILED,
    /** Failed, and another attempt would fail as well. */
    FAILED_FOR_GOOD,
    /** Somebody has deleted it, or its work was called off. */
    GONE
  }

  public static AttemptEnd failed(Instant at, String message) {
    return new AttemptEnd(at, at, Result.FAILED, message);
  }

  public static AttemptEnd gone(Instant at, String message) {
    return new AttemptEnd(at, at, Result.GONE, message);
  }

  /** Conditions tell whole seconds, which may be before the attempt began. */
  AttemptEnd notBefore(Instant begun) {
    return new AttemptEnd(
        at.isBefore(begun) ? begun : at, effect.isBefore(begun) ? begun : effect, result, message);
  }

  boolean isFailure() {
    return result == Result.FAILED || result == Result.FAILED_FOR_GOOD;
  }
}
