package dev.drydock.lifecycle.decide;

/** What a drain does when the time of its event is over and pods are left. */
public enum SlaPolicy {
  /** Nothing more is evicted; the node stays held. */
  STOP,
  /** It goes on as before, although its event is over. */
  CONTINUE,
  /** What is left is deleted, past its budgets. */
  DELETE
}
