package dev.drydock.contracts.v1alpha1;

/** The phase of a campaign. */
public enum CampaignPhase {
  /** The spec cannot be carried out; the Valid condition says why. */
  Invalid,
  /** Waits for a person's approval. */
  AwaitingApproval,
  /** Nodes are out of service, or the next one leaves now. */
  Running,
  /** No node is out of service; the next one waits for something. */
  Waiting,
  /** Paused by a person, or the andon cord is pulled: no further node leaves. */
  Paused,
  /** Too many nodes failed: no further node leaves until the failed ones are dealt with. */
  Halted,
  /** Ended by a person. */
  Stopped,
  /** Every node is done. */
  Completed,
  /** No node is left to start, and some nodes failed. */
  Incomplete
}
