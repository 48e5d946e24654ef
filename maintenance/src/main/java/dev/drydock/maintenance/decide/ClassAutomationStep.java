package dev.drydock.maintenance.decide;

import java.time.Instant;
import java.util.Optional;

/** What a class's clients do next. Each step may be done twice; after it, decide again. */
public sealed interface ClassAutomationStep {
  /** Nothing, until something changes or the time has come. */
  record Wait(String why, Optional<Instant> until) implements ClassAutomationStep {}

  /** Label the node and hold it. */
  record TakeOut() implements ClassAutomationStep {}

  /** Begin to empty the node. */
  record Empty() implements ClassAutomationStep {}

  /**
   * Report as a client does, by an annotation.
   *
   * @param message why, for people; may be empty
   */
  record Say(ClientAnnotation as, String value, String message) implements ClassAutomationStep {}

  /** Create a Job on the node. */
  record Run(Purpose purpose, int attempt) implements ClassAutomationStep {}

  /** What a Job is for. */
  enum Purpose {
    WORK,
    PROOF
  }

  /** All is done: delete the maintenance. */
  record Return() implements ClassAutomationStep {}

  /** Let the node go. */
  record Release() implements ClassAutomationStep {}
}
