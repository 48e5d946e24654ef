package dev.drydock.lifecycle.decide;

/** What a drain does when its event's time has passed and pods are left. */
public enum SlaPolicy {
  /** Evicts no more pods; the node stays held. */
  STOP,
  /** Continues, although its event has ended. */
  CONTINUE,
  /** Deletes the remaining pods, regardless of their budgets. */
  DELETE
}
