package dev.drydock.maintenance.decide;

import java.time.Instant;
import java.util.Optional;

/** The next step of a class's clients. Every step is idempotent; decide again after it. */
public sealed interface ClassAutomationStep {
  /** Nothing, until something changes or the given time. */
  record Wait(String why, Optional<Instant> until) implements ClassAutomationStep {}

  /** Label the node and hold it. */
  record TakeOut() implements ClassAutomationStep {}

  /** Label and hold a Node that was made anew since: nobody has said that it is fit. */
  record HoldAgain() implements ClassAutomationStep {}

  /** Start to drain the node. */
  record Empty() implements ClassAutomationStep {}

  /**
   * Report by an annotation, as a client does.
   *
   * @param message why, for people; may be empty
   */
  record Say(ClientAnnotation as, String value, String message) implements ClassAutomationStep {}

  /**
   * Remove an annotation that claims what is not so: a step that the class carries out has passed
   * when its drain or Job has, and not because somebody says so.
   */
  record Withdraw(ClientAnnotation claim) implements ClassAutomationStep {}

  /** Create a Job on the node. */
  record Run(Purpose purpose, int attempt) implements ClassAutomationStep {}

  /** The purpose of a Job. */
  enum Purpose {
    WORK,
    PROOF
  }

  /** Everything is done: delete the maintenance. */
  record Return() implements ClassAutomationStep {}

  /** Release the node. */
  record Release() implements ClassAutomationStep {}
}
