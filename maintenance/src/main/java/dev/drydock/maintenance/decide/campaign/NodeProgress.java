package dev.drydock.maintenance.decide.campaign;

import java.time.Instant;
import java.util.Optional;

/**
 * The progress of a node that a campaign has taken.
 *
 * @param startedAt when it was allowed to leave
 * @param endedAt when it was back or failed
 * @param message why it failed, or its current step
 */
public record NodeProgress(
    State state, Instant startedAt, Optional<Instant> endedAt, String message) {

  /** The states; nodes that a campaign has not taken yet have none. */
  public enum State {
    IN_FLIGHT,
    DONE,
    FAILED
  }

  public static NodeProgress inFlight(Instant startedAt) {
    return new NodeProgress(State.IN_FLIGHT, startedAt, Optional.empty(), "");
  }

  public static NodeProgress done(Instant startedAt, Instant endedAt) {
    return new NodeProgress(State.DONE, startedAt, Optional.of(endedAt), "");
  }

  public static NodeProgress failed(Instant startedAt, Instant endedAt, String message) {
    return new NodeProgress(State.FAILED, startedAt, Optional.of(endedAt), message);
  }

  /** The same, with this message if it has none. */
  public NodeProgress or(String otherwise) {
    return message.isEmpty() ? new NodeProgress(state, startedAt, endedAt, otherwise) : this;
  }

  boolean isOver() {
    return state != State.IN_FLIGHT;
  }
}
