package dev.drydock.lifecycle.decide;

import java.time.Instant;
import java.util.Optional;

/**
 * The last call to a driver about one event. It is kept in memory only: after a restart the driver
 * is called again, and driver calls are idempotent.
 *
 * @param called when the driver was called
 * @param answer absent while the call lasts
 * @param published whether the Node's condition shows the answer
 */
public record DriverCallState(
    String uid, Call call, Instant called, Optional<Answer> answer, boolean published) {

  /** The purpose of a driver call; later ones replace earlier ones. */
  public enum Call {
    START,
    END,
    /** End again, because the event's time has passed. */
    EXPIRE,
    /** End again, because the event was deleted. */
    CANCEL
  }

  /** A driver's answer. */
  public sealed interface Answer {
    /** A reason to publish, and on which node: none if it is empty. */
    record Told(String reason, String node) implements Answer {}

    /** The step failed permanently. */
    record Refused(String why) implements Answer {}

    /** The result is unknown. */
    record Unreachable(String why) implements Answer {}
  }

  public static DriverCallState calling(String uid, Call call, Instant now) {
    return new DriverCallState(uid, call, now, Optional.empty(), false);
  }

  public DriverCallState answered(Answer said) {
    return new DriverCallState(uid, call, called, Optional.of(said), false);
  }

  public DriverCallState publish() {
    return new DriverCallState(uid, call, called, answer, true);
  }
}
