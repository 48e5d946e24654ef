package dev.drydock.health.remediation.decide;

import dev.drydock.health.remediation.decide.RemediationStep.Refusal;
import java.time.Instant;
import java.util.Optional;

/** What is to be done about one event. */
sealed interface DocumentVerdict {
  /** Nothing: it asks for nothing, or is not about the present state of the node. */
  record Skip() implements DocumentVerdict {}

  /** A resource was made, or is about to be made, that its failure is covered by. */
  record Covered(RemediationAttempt attempt) implements DocumentVerdict {}

  /** It came after the resource, so it is looked at again when the work has ended. */
  record AfterAttempt(RemediationAttempt attempt) implements DocumentVerdict {}

  /**
   * Nothing is done about it.
   *
   * @param retry when another resource is made all the same
   */
  record Refused(Refusal why, Optional<Instant> retry) implements DocumentVerdict {}

  /** It needs a resource. */
  record Wants(RemediationAction action, String group) implements DocumentVerdict {}
}
