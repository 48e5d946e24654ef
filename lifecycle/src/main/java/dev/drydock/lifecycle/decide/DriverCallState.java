package dev.drydock.lifecycle.decide;

import java.time.Instant;
import java.util.Optional;

/**
 * What was last said between the claimer and a driver, about one event. It lives in memory only:
 * who starts anew asks anew, and a driver does nothing twice.
 *
 * @param called when the driver was called
 * @param answer absent while the call lasts
 * @param published whether the node's condition says what the answer says
 */
public record DriverCallState(
    String uid, Call call, Instant called, Optional<Answer> answer, boolean published) {

  /** What a driver is called for, in the order in which one takes the place of another. */
  public enum Call {
    START,
    END,
    /** The end once more, because the event's time is over. */
    EXPIRE,
    /** The end once more, because somebody deleted the event. */
    CANCEL
  }

  /** What a driver said. */
  public sealed interface Answer {
    /** A reason to publish, and on which node: none if it is empty. */
    record Told(String reason, String node) implements Answer {}

    /** The step failed, for good. */
    record Refused(String why) implements Answer {}

    /** Nobody knows what the driver did. */
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
