package dev.drydock.lifecycle.decide;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A call of a claimer that the driver has not answered yet, and what was done for it so far.
 *
 * @param number calls are served in the order of their numbers
 * @param start the reason to answer with while the transition is under way
 * @param end the reason to answer with when it is over
 * @param slaExpired whether the event's time is over
 * @param deadline when it is answered at the latest
 * @param joined whether it waits for the present drain
 * @param check what a look at the node on its behalf showed
 * @param uncordoned the node after it was uncordoned on its behalf
 * @param messageWritten whether the event says what the call waits for
 * @param readAgain whether {@code uncordoned} was read again after a change
 */
public record PendingCall(
    long number,
    Kind kind,
    String event,
    String start,
    String end,
    boolean slaExpired,
    Instant deadline,
    boolean joined,
    Optional<Check> check,
    Optional<Uncordoned> uncordoned,
    boolean messageWritten,
    boolean readAgain) {

  /** The kind of call. */
  public enum Kind {
    START_DRAIN,
    END_DRAIN,
    START_UNCORDON,
    END_UNCORDON;

    public boolean isStart() {
      return this == START_DRAIN || this == START_UNCORDON;
    }

    public boolean isDrain() {
      return this == START_DRAIN || this == END_DRAIN;
    }
  }

  /**
   * The node as a look at it showed.
   *
   * @param held whether the driver holds it
   * @param left pods that have to go
   */
  public record Check(boolean held, List<String> left) {
    public Check {
      left = List.copyOf(left);
    }
  }

  /**
   * The node after it was uncordoned on behalf of a call.
   *
   * @param unschedulable whether others keep it out of service
   * @param holders who
   * @param wasOut whether it was out of service before, if the call is an End
   */
  public record Uncordoned(boolean unschedulable, List<String> holders, boolean wasOut) {
    public Uncordoned {
      holders = List.copyOf(holders);
    }

    public Uncordoned(boolean unschedulable, List<String> holders) {
      this(unschedulable, holders, false);
    }
  }

  public static PendingCall of(
      long number,
      Kind kind,
      String event,
      String start,
      String end,
      boolean slaExpired,
      Instant deadline) {
    return new PendingCall(
        number,
        kind,
        event,
        start,
        end,
        slaExpired,
        deadline,
        false,
        Optional.empty(),
        Optional.empty(),
        false,
        false);
  }

  public PendingCall withJoined(boolean nowJoined) {
    return with(nowJoined, check, uncordoned, messageWritten, readAgain);
  }

  public PendingCall withCheck(Check found) {
    return with(joined, Optional.of(found), uncordoned, messageWritten, readAgain);
  }

  public PendingCall withUncordoned(Uncordoned node, boolean again) {
    return with(joined, check, Optional.of(node), messageWritten, again);
  }

  public PendingCall withMessageWritten() {
    return with(joined, check, uncordoned, true, readAgain);
  }

  private PendingCall with(
      boolean joined,
      Optional<Check> check,
      Optional<Uncordoned> uncordoned,
      boolean messageWritten,
      boolean readAgain) {
    return new PendingCall(
        number,
        kind,
        event,
        start,
        end,
        slaExpired,
        deadline,
        joined,
        check,
        uncordoned,
        messageWritten,
        readAgain);
  }
}
