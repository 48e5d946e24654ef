package dev.drydock.drain.engine.decide;

import java.time.Duration;
import java.util.Optional;

/**
 * How a drain ended. Whatever the end, the node keeps its hold.
 *
 * @param message one line for a person
 * @param last the last decision, if there ever was one
 */
public record DrainOutcome(
    String node, End end, String message, Optional<Decision> last, Duration elapsed) {

  /** The possible ends. */
  public enum End {
    /** No pod that had to go is left. */
    DONE,
    /** The filters refuse pods; none was touched. */
    REFUSED,
    /** Its deadline passed, or it could not even begin. */
    FAILED,
    /** Cancelled by the caller, or by a person who uncordoned the node. */
    CANCELLED
  }
}
