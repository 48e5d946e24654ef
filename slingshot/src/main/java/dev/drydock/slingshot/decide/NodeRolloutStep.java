package dev.drydock.slingshot.decide;

import java.time.Instant;
import java.util.Optional;

/** What to do next for a node of a roll-out. */
public sealed interface NodeRolloutStep {
  /** Nothing, until something changes or this time has come. */
  record Wait(Optional<Instant> until) implements NodeRolloutStep {}

  /** Its driver agent starts again, with what it shall install now. */
  record ReplaceAgent(String podUid) implements NodeRolloutStep {}

  /** Keeps a fact about the node in its maintenance. */
  record Remember(NodeBaseline baseline) implements NodeRolloutStep {}

  /** Its driver agent goes back to the previous driver. */
  record RollBack(String toVersion, String reason) implements NodeRolloutStep {}

  /** No further node leaves: this one went back to its previous driver. */
  record StopRollout(String reason) implements NodeRolloutStep {}

  /** Declares a step of the maintenance, by annotation. */
  record Answer(String annotation, String value, Verdict verdict, String reason)
      implements NodeRolloutStep {}

  /** How a node's update ended. */
  enum Verdict {
    UPDATED,
    ROLLED_BACK,
    FAILED
  }

  /** A maintenance for a node whose agent a user deleted. */
  record CreateMaintenance() implements NodeRolloutStep {}
}
