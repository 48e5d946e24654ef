package dev.drydock.serve.feature;

/**
 * What can only follow something else comes after it, in the order of these. Most times are whole
 * seconds, so they do not tell.
 */
public enum HistoryPhase {
  CREATED,
  SCHEDULED,
  HELD,
  STARTED,
  DRAIN_REQUESTED,
  DRAIN_PLANNED,
  DRAINING,
  DEADLINE_PASSED,
  DRAIN_ENDED,
  DRAINED,
  VALIDATING,
  INCOMPLETE,
  ENDED,
  RELEASED,
  COMPLETE,
  WAITING;

  /** Counted from 1. */
  @SuppressWarnings("EnumOrdinal") // the order of declaration is what this enum says
  public int place() {
    return ordinal() + 1;
  }
}
