package dev.drydock.maintenance.decide;

import java.time.Instant;
import java.util.Optional;

/** What a class's clients do next. Each step may be done twice; after it, decide again. */
public sealed interface ClassStep {
  /** Nothing, until something changes or the time has come. */
  record Wait(String why, Optional<Instant> until) implements ClassStep {}

  /** Label the node and hold it. */
  record TakeOut() implements ClassStep {}

  /** Begin to empty the node. */
  record Empty() implements ClassStep {}

  /**
   * Report as a client does, by an annotation.
   *
   * @param message why, for people; may be empty
   */
  record Say(ClientAnnotation as, String value, String message) implements ClassStep {}

  /** Create a Job on the node. */
  record Run(Purpose purpose, int attempt) implements ClassStep {}

  /** What a Job is for. */
  enum Purpose {
    WORK,
    PROOF
  }

  /** All is done: delete the maintenance. */
  record Return() implements ClassStep {}

  /** Let the node go. */
  record Release() implements ClassStep {}
}
