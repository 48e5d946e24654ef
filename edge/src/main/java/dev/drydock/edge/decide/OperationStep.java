package dev.drydock.edge.decide;

import java.time.Instant;

/** What is done about an operation. */
public sealed interface OperationStep {
  /**
   * Whether the drain's request stays: until the boot, or until its drain has failed or was called
   * off.
   */
  default boolean needsRequest() {
    return !(this instanceof Drop || this instanceof Keep);
  }

  /** It is not done any more. */
  record Drop(String why) implements OperationStep {}

  /** It waits for the drain, which its requester has to ask for. */
  record Defer(DeferredOperation next) implements OperationStep {}

  /** It waits for a person: the drain failed, and its request is withdrawn. */
  record Keep(DeferredOperation next) implements OperationStep {}

  /** Look at the cluster once more. */
  record Check() implements OperationStep {}

  /** Run its command. */
  record Run(DeferredOperation next) implements OperationStep {}

  /** Its command ended, and nobody knows how. */
  record Interrupted(DeferredOperation next) implements OperationStep {}

  record Wait(DeferredOperation next, Instant until) implements OperationStep {}
}
