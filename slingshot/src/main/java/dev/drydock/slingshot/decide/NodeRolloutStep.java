package dev.drydock.slingshot.decide;

import java.time.Instant;
import java.util.Optional;

/** What to do next for a node of a roll-out. */
public sealed interface NodeRolloutStep {
  /** Whether the andon cord keeps it from happening; to judge and to go back is always allowed. */
  default boolean begins() {
    return this instanceof ReplaceAgent || this instanceof CreateMaintenance;
  }

  /** Nothing, until something changes or this time has come. */
  record Wait(Optional<Instant> until) implements NodeRolloutStep {}

  /** Its driver agent starts again, with what it shall install now. */
  record ReplaceAgent(String podUid) implements NodeRolloutStep {}

  /**
   * Keeps what the node was like, and says that it is worked on from now on: whoever deletes the
   * maintenance does not return a node whose driver is half replaced.
   */
  record BeginWork(NodeBaseline baseline) implements NodeRolloutStep {}

  /** Keeps a fact about the node in its maintenance. */
  record Remember(NodeBaseline baseline) implements NodeRolloutStep {}

  /** Its driver agent goes back to the previous driver. */
  record RollBack(String toVersion, UpdateFailure failure) implements NodeRolloutStep {}

  /** No further node leaves: this one went back to its previous driver. */
  record StopRollout(String reason) implements NodeRolloutStep {}

  /** Declares a step of the maintenance, by annotation. */
  record Answer(String annotation, String value, Verdict verdict) implements NodeRolloutStep {}

  /** How a node's update ended. */
  sealed interface Verdict {
    /** What is told about it. */
    String message();

    /** It has the wanted driver. */
    record Updated(String message) implements Verdict {}

    /** It is fit with its previous driver. */
    record RolledBack(String message) implements Verdict {}

    /** It stays out of service. */
    record Failed(UpdateFailure failure) implements Verdict {
      @Override
      public String message() {
        return failure.message();
      }
    }
  }

  /** A maintenance for a node whose agent a user deleted. */
  record CreateMaintenance() implements NodeRolloutStep {}
}
