package dev.drydock.lifecycle.decide;

import java.time.Duration;
import java.util.Optional;

/** What a driver publishes of a transition for all nodes, and when that has to be written. */
public record PublishedTransition(String start, String end, String driver, Duration sla) {
  /** What to do about a transition. */
  public enum Need {
    NOTHING,
    /** There is none, or somebody changed what the driver answers to. */
    WRITE,
    /** Only the time differs, which other agents may have been given. */
    WRITE_TIME
  }

  /**
   * The time is only written when the driver starts: agents with different times would overwrite
   * each other for ever. A transition that somebody deleted comes back with the next start.
   *
   * @param seen as it is in the cluster
   * @param published whether this driver has published it since it started
   */
  public Need need(Optional<TransitionFacts> seen, boolean published) {
    if (seen.isEmpty()) {
      return published ? Need.NOTHING : Need.WRITE;
    }
    TransitionFacts now = seen.get();
    if (!now.start().equals(start) || !now.end().equals(end) || !now.driver().equals(driver)) {
      return Need.WRITE;
    }
    return published || now.sla().equals(Optional.of(sla)) ? Need.NOTHING : Need.WRITE_TIME;
  }
}
