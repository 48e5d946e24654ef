package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.decide.MaintenanceFacts;
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

  /**
   * The progress that a campaign's maintenance of a node shows; absent if it was cancelled, so that
   * the node can be taken again.
   *
   * @param left when the node was allowed to leave
   * @param since when the maintenance entered its state
   * @param waitingFor what the maintenance waits for; may be empty
   * @param lastMessage of its history
   */
  public static Optional<NodeProgress> of(
      MaintenanceFacts maintenance,
      Instant left,
      Instant since,
      String waitingFor,
      String lastMessage) {
    if (maintenance.isEnded()) {
      if (maintenance.isProved()) {
        return Optional.of(done(left, since));
      }
      return maintenance.deleted()
          ? Optional.empty()
          : Optional.of(failed(left, since, "it was uncordoned before it was validated"));
    }
    if (maintenance.state() == MaintenanceState.INCOMPLETE) {
      return Optional.of(failed(left, since, lastMessage));
    }
    String state = maintenance.state().text();
    String step = waitingFor.isEmpty() ? state : state + ", waits for " + waitingFor;
    return Optional.of(new NodeProgress(State.IN_FLIGHT, left, Optional.empty(), step));
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
