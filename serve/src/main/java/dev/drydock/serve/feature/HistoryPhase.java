package dev.drydock.serve.feature;

/** The causal order of history entries that have the same second. */
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
