package dev.drydock.serve.feature;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One step in a node's history.
 *
 * @param after the time since the previous step
 * @param who the maintenance's ID, or another object
 * @param what from a fixed set
 * @param story what happened, for people
 * @param waited how long the node waited for this step, if it did
 */
public record HistoryStep(
    Instant at,
    @Nullable Duration after,
    String who,
    String what,
    String story,
    @Nullable Wait waited) {

  /** A wait that this step ended; a wait that continues has its own step. */
  public record Wait(Duration time, String forWhat) {}

  public static HistoryStep of(Instant at, String who, String what, String story) {
    return new HistoryStep(at, null, who, what, story, null);
  }

  public HistoryStep at(Instant time) {
    return new HistoryStep(time, after, who, what, story, waited);
  }

  public HistoryStep after(Duration time) {
    return new HistoryStep(at, time, who, what, story, waited);
  }

  public HistoryStep waited(Wait wait) {
    return new HistoryStep(at, after, who, what, story, wait);
  }
}
