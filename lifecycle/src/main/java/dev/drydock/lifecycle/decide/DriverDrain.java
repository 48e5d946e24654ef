package dev.drydock.lifecycle.decide;

import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.hold.decide.Holds;
import java.util.Optional;

/**
 * The drain that a driver carries out for a LifecycleEvent, or did last. State that must survive a
 * restart is in the reason of the node's hold; claimers repeat the calls for the rest.
 *
 * @param uid of the event, once known; distinguishes events of the same name
 * @param behalf the other holder of the node on whose behalf the event was created
 * @param why it is cancelled or stopped, for people
 * @param hold the reason on the driver's hold; empty before it was placed
 * @param run the engine's part
 * @param afterSla whether that run uses the policy that applies after the SLA
 * @param message the message at the end of the run
 * @param releasedToOther whether the driver's hold was released, as {@code behalf} holds the node
 * @param remaining pods that the run still waits for
 * @param noted whether the event says that the driver held the node for it
 * @param found the driver's hold when the driver came back to an event that says so
 */
public record DriverDrain(
    String event,
    Optional<String> uid,
    Optional<String> behalf,
    Purpose purpose,
    String why,
    String hold,
    Run run,
    boolean afterSla,
    String message,
    boolean releasedToOther,
    int remaining,
    boolean noted,
    Optional<HoldFound> found) {

  /** The purpose for which it continues, if any. */
  public enum Purpose {
    FOR_EVENT,
    /** The SLA of the event has expired, but the drain continues. */
    WITHOUT_EVENT,
    /** The drain is over and its event is gone: one of the same name is another event. */
    SPENT,
    /** Its event was deleted; what becomes of the node is not settled yet. */
    CANCELLED,
    STOPPED
  }

  /** What the engine does. */
  public enum Run {
    NONE,
    RUNNING,
    CANCELLING,
    DONE,
    FAILED
  }

  /**
   * The driver's hold after a restart.
   *
   * @param loss how the hold got lost, if it did
   */
  public record HoldFound(Optional<String> loss) {}

  public static DriverDrain begin(String event) {
    return new DriverDrain(
        event,
        Optional.empty(),
        Optional.empty(),
        Purpose.FOR_EVENT,
        "",
        "",
        Run.NONE,
        false,
        "",
        false,
        0,
        false,
        Optional.empty());
  }

  /** One that an earlier process left without an event; its hold says so. */
  public static DriverDrain resume(String event, String hold) {
    return begin(event).held(hold, Purpose.WITHOUT_EVENT);
  }

  /** Whether the engine may still evict. */
  boolean isLive() {
    return run == Run.RUNNING || run == Run.CANCELLING;
  }

  /** Whether the engine has come to an end by itself. */
  boolean isOver() {
    return run == Run.DONE || run == Run.FAILED;
  }

  public DriverDrain identified(DriverInput.SeenEvent seen) {
    return with(
        Optional.of(seen.facts().uid()), seen.behalf(), releasedToOther, noted || seen.held());
  }

  public DriverDrain withPurpose(Purpose next, String because) {
    return with(next, because, hold, found);
  }

  public DriverDrain held(String reason, Purpose next) {
    return with(next, why, reason, found);
  }

  public DriverDrain started() {
    return with(Run.RUNNING, purpose == Purpose.WITHOUT_EVENT, "", remaining);
  }

  /** The engine was told to stop. */
  public DriverDrain cancelling() {
    return ran(Run.CANCELLING, "");
  }

  /** The engine has ended; a run that was cancelled counts as none. */
  public DriverDrain ended(DrainOutcome outcome) {
    if (run == Run.CANCELLING) {
      return ran(Run.NONE, "");
    }
    return ran(outcome.end() == DrainOutcome.End.DONE ? Run.DONE : Run.FAILED, outcome.message());
  }

  /** Whether the holder on whose behalf it drains holds the node itself. */
  public boolean isHeldByOther(Holds holds) {
    return behalf.filter(holds::heldBy).isPresent();
  }

  DriverDrain ran(Run next, String how) {
    return with(next, afterSla, how, remaining);
  }

  public DriverDrain left(int pods) {
    return with(run, afterSla, message, pods);
  }

  public DriverDrain withReleaseToOther() {
    return with(uid, behalf, true, noted);
  }

  /** The event says that the driver holds the node for it. */
  public DriverDrain withNote() {
    return with(uid, behalf, releasedToOther, true);
  }

  public DriverDrain withHoldFound(HoldFound hold) {
    return with(purpose, why, this.hold, Optional.of(hold));
  }

  private DriverDrain with(
      Optional<String> uid, Optional<String> behalf, boolean releasedToOther, boolean noted) {
    return new DriverDrain(
        event,
        uid,
        behalf,
        purpose,
        why,
        hold,
        run,
        afterSla,
        message,
        releasedToOther,
        remaining,
        noted,
        found);
  }

  private DriverDrain with(Purpose purpose, String why, String hold, Optional<HoldFound> found) {
    return new DriverDrain(
        event,
        uid,
        behalf,
        purpose,
        why,
        hold,
        run,
        afterSla,
        message,
        releasedToOther,
        remaining,
        noted,
        found);
  }

  private DriverDrain with(Run run, boolean afterSla, String message, int remaining) {
    return new DriverDrain(
        event,
        uid,
        behalf,
        purpose,
        why,
        hold,
        run,
        afterSla,
        message,
        releasedToOther,
        remaining,
        noted,
        found);
  }
}
