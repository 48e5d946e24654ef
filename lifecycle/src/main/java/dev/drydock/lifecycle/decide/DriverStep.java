package dev.drydock.lifecycle.decide;

import java.time.Instant;
import java.util.Optional;

/**
 * What the drain driver does next. If a step for a call fails, the failure is the answer to the
 * call; other steps are retried.
 */
public sealed interface DriverStep {
  /** The call that the step is for, if any. */
  default Optional<PendingCall> forCall() {
    return Optional.empty();
  }

  /** A step that is always for a call. */
  sealed interface ForCall extends DriverStep {
    PendingCall call();

    @Override
    default Optional<PendingCall> forCall() {
      return Optional.of(call());
    }
  }

  /** Answers a call. */
  record Answer(PendingCall call, Reply reply) implements DriverStep {}

  /** The call waits for the present drain from now on. */
  record Join(PendingCall call) implements DriverStep {}

  /** Puts a new drain in place of the present one; the call waits for it. */
  record Begin(PendingCall call, Optional<DriverInput.SeenEvent> seen) implements DriverStep {}

  /** Notes which event the drain is for. */
  record Identify(DriverInput.SeenEvent seen) implements DriverStep {}

  /** The drain is for another purpose from now on, or ends. */
  record ChangePurpose(DriverDrain.Purpose purpose, String why) implements DriverStep {}

  /** Places the driver's hold with this reason. */
  record PlaceHold(String reason, DriverDrain.Purpose purpose, Optional<PendingCall> forCall)
      implements DriverStep {}

  /** Looks whether the hold is there that the driver placed for this event before a restart. */
  record CheckHold(PendingCall call) implements ForCall {}

  /** Notes on the event that the driver has placed its hold for it. */
  record NoteHold() implements DriverStep {}

  /** Has the engine drain, from now on as its purpose asks for. */
  record StartRun() implements DriverStep {}

  /** Has the engine stop; it is over when the engine says so. */
  record CancelRun() implements DriverStep {}

  /** Takes the driver's hold away; then the drain is stopped. */
  record Release() implements DriverStep {}

  /** Takes the driver's hold away if the one on whose behalf it drains holds the node. */
  record ReleaseToOther(Optional<PendingCall> forCall) implements DriverStep {}

  /** There is no drain any more. */
  record Drop() implements DriverStep {}

  /** Lists the pods that are left, and looks whether the driver holds the node. */
  record CheckNode(PendingCall call) implements ForCall {}

  /** Takes the driver's hold away, and a cordon from outside. */
  record Uncordon(PendingCall call) implements ForCall {}

  /** Looks again who holds the node. */
  record ReadHolds(PendingCall call) implements ForCall {}

  /** Says on the call's event what it waits for. */
  record WriteMessage(PendingCall call, String what) implements ForCall {}

  /** Looks for a drain that an earlier process left without an event. */
  record Resume() implements DriverStep {}

  /**
   * There is nothing to do until something changes.
   *
   * @param until when to look again, if nothing does
   */
  record Wait(Optional<Instant> until) implements DriverStep {}

  /** The answer to a claimer. */
  sealed interface Reply {
    /** A reason to publish on the node. */
    record Told(String reason) implements Reply {}

    /** The transition failed, for good. */
    record Failed(String why) implements Reply {}

    /** The caller has to call again. */
    record Unavailable(String why) implements Reply {}
  }
}
