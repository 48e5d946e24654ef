package dev.drydock.serve.feature;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One thing that happened to a node.
 *
 * @param after how long after the one before
 * @param who the maintenance's ID, or what else it happened to
 * @param what a word from a closed set
 * @param story what happened, for people
 * @param waited how long that was waited for, if it was
 */
public record HistoryStep(
    Instant at,
    @Nullable Duration after,
    String who,
    String what,
    String story,
    @Nullable Wait waited) {

  /** A wait that this step ended; one that goes on has a step of its own. */
  public record Wait(Duration time, String forWhat) {}

  public static HistoryStep of(Instant at, String who, String what, String story) {
    return new HistoryStep(at, null, who, what, story, null);
  }

  public HistoryStep after(Duration time) {
    return new HistoryStep(at, time, who, what, story, waited);
  }

  public HistoryStep waited(Wait wait) {
    return new HistoryStep(at, after, who, what, story, wait);
  }
}
