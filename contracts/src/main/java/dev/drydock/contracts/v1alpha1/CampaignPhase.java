package dev.drydock.contracts.v1alpha1;

/** Where a campaign stands. */
public enum CampaignPhase {
  /** The spec cannot be carried out; the Valid condition says why. */
  Invalid,
  /** Waits for a person's approval. */
  AwaitingApproval,
  /** Nodes are out or go out now. */
  Running,
  /** No node is out; something has to happen before the next one leaves. */
  Waiting,
  /** A person paused it, or the andon cord is pulled: no further node leaves. */
  Paused,
  /** Too many nodes failed: no further node leaves until somebody has looked at them. */
  Halted,
  /** A person ended it. */
  Stopped,
  /** Every node is done. */
  Completed,
  /** Nothing is left to start, and some nodes failed. */
  Incomplete
}
