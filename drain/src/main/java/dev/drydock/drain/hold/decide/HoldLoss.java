package dev.drydock.drain.hold.decide;

import java.util.Optional;

/**
 * Decides what happens to a drain whose hold was removed by a person: it ends, unless its task
 * holds the node again.
 */
public sealed interface HoldLoss {
  /** A Node that was created again has neither cordon nor holds, like one that was uncordoned. */
  String NOTHING_LEFT =
      "the node was uncordoned, or deleted and created again, while no process watched it";

  /** The node is held as it should be. */
  record None() implements HoldLoss {}

  /**
   * Hold it again and continue.
   *
   * @param uncordoned the holds on the node are void, and are dropped first
   */
  record HoldAgain(boolean uncordoned) implements HoldLoss {
    public String message() {
      return words(uncordoned);
    }
  }

  /**
   * The drain ends.
   *
   * @param uncordoned the holds on the node are void, and are dropped
   * @param message why, for people
   */
  record CalledOff(boolean uncordoned, String message) implements HoldLoss {
    CalledOff(boolean uncordoned) {
      this(uncordoned, words(uncordoned));
    }
  }

  /**
   * Decides for a node that was held before.
   *
   * @param holds as they are now
   */
  static HoldLoss of(Holds holds, String holder, boolean holdAgain) {
    return of(holds, holder, Optional.empty(), holdAgain);
  }

  /**
   * The same for an object that is known by its UID.
   *
   * @param owner if present, the hold of another object of that name is not its own
   */
  static HoldLoss of(Holds holds, String holder, Optional<String> owner, boolean holdAgain) {
    boolean uncordoned = !holds.unschedulable();
    if (!uncordoned && holds.heldBy(holder, owner)) {
      return new None();
    }
    return holdAgain ? new HoldAgain(uncordoned) : new CalledOff(uncordoned);
  }

  /**
   * Decides for a drain that an earlier process began. A person may have uncordoned the node while
   * nobody looked, and the hold may be cleared since.
   */
  static HoldLoss since(EarlierDrain earlier, Holds holds, String holder, Optional<String> owner) {
    boolean voided = !holds.unschedulable() && holds.heldBy(holder, owner);
    return switch (earlier) {
      case NONE -> new None();
      case BEGUN -> voided ? new CalledOff(true) : new None();
      case HELD ->
          holds.unschedulable() || voided
              ? of(holds, holder, owner, false)
              : new CalledOff(true, NOTHING_LEFT);
    };
  }

  private static String words(boolean uncordoned) {
    return uncordoned ? "the node was uncordoned" : "its hold was released";
  }
}
