package dev.drydock.maintenance.decide;

/** How a maintenance came to its completion, for the notice of it. */
public enum CompletionKind {
  ORDINARY,
  /** It was deleted before the node was empty. */
  CANCELLED,
  /** Somebody uncordoned the node while the maintenance was in progress. */
  ENDED_EARLY
}
