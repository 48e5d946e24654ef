package dev.drydock.serve.feature;

/**
 * The causal order of history entries that have the same second. Features may have phases of their
 * own between these.
 */
public record HistoryPhase(int place) {
  public static final HistoryPhase CREATED = new HistoryPhase(10);
  public static final HistoryPhase SCHEDULED = new HistoryPhase(20);
  public static final HistoryPhase HELD = new HistoryPhase(30);
  public static final HistoryPhase STARTED = new HistoryPhase(40);
  public static final HistoryPhase DRAIN_REQUESTED = new HistoryPhase(50);
  public static final HistoryPhase DRAIN_PLANNED = new HistoryPhase(60);
  public static final HistoryPhase DRAINING = new HistoryPhase(70);
  public static final HistoryPhase DEADLINE_PASSED = new HistoryPhase(80);
  public static final HistoryPhase DRAIN_ENDED = new HistoryPhase(90);
  public static final HistoryPhase DRAINED = new HistoryPhase(100);
  public static final HistoryPhase VALIDATING = new HistoryPhase(110);
  public static final HistoryPhase INCOMPLETE = new HistoryPhase(120);
  public static final HistoryPhase ENDED = new HistoryPhase(130);
  public static final HistoryPhase RELEASED = new HistoryPhase(140);
  public static final HistoryPhase COMPLETE = new HistoryPhase(150);
  public static final HistoryPhase WAITING = new HistoryPhase(160);

  /** A phase between this one and the next. */
  public HistoryPhase after() {
    return new HistoryPhase(place + 1);
  }
}
