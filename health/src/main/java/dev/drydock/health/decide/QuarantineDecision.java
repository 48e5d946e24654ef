package dev.drydock.health.decide;

import dev.drydock.contracts.health.HealthStatus;

/** What comes of an event. */
public sealed interface QuarantineDecision {
  /** Why an event changes nothing: a closed set. */
  enum Reason {
    HEALTHY_NODE,
    NO_RULE_MATCHES,
    NOT_TRACKED
  }

  /** Nothing is changed, and nothing is written about it. */
  record Ignore(Reason reason) implements QuarantineDecision {}

  /** It was decided before the process died: only its status is to be written. */
  record Repeat(HealthStatus status, String episode) implements QuarantineDecision {}

  /**
   * The node's quarantine changes, or another event confirms it.
   *
   * @param kind what happens
   * @param after to be written on the Node, before the status
   */
  record Change(Kind kind, HealthStatus status, String episode, QuarantineState after)
      implements QuarantineDecision {}

  /** How a quarantine changes. */
  enum Kind {
    /** The only one that a breaker or the andon cord may keep from happening. */
    BEGIN,
    MERGE,
    PARTIAL_RECOVERY,
    END
  }
}
