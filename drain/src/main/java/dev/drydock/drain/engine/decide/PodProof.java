package dev.drydock.drain.engine.decide;

/**
 * Whether the pods that are seen are those of a time after the node was held. A pod may be bound to
 * the node just before that, so a node that was seen empty earlier may not be empty.
 */
public sealed interface PodProof {
  /** All pods that were bound before the hold are seen, or gone. */
  record Given() implements PodProof {}

  /** Nobody has looked since the node was held; a drain that would end does so now. */
  record Missing() implements PodProof {}

  /** To look again did not succeed; it is retried. */
  record Failed(String why) implements PodProof {}
}
