package dev.drydock.drain.hold.decide;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Decides which holds of a node end although nobody releases them. */
public final class HoldDecider {
  /** What is known about the object that a hold is for. */
  public sealed interface Owner {
    /** Not known now, so the hold stays. */
    record Unknown() implements Owner {}

    /**
     * It does not exist.
     *
     * @param keepsHold whether the hold stays when its object is gone, until a person ends it
     */
    record Gone(boolean keepsHold) implements Owner {}

    /**
     * An object of that name exists.
     *
     * @param node which it is about now
     * @param keepsHold as for one that is gone
     */
    record Present(String uid, String node, boolean keepsHold) implements Owner {}
  }

  /** A change of the node's holds. */
  public sealed interface Step {
    /** A person uncordoned the node, so its holds are void. */
    record Drop() implements Step {}

    /** The time of some holds is over. */
    record Expire() implements Step {}

    /** Its owner no longer exists or is for another node. */
    record Release(Hold hold) implements Step {}

    /** Its owner is gone, and only the owner could have said that the node is fit. */
    record Disown(Hold hold) implements Step {}
  }

  private HoldDecider() {}

  /** Whether the steps depend on the owners of the holds. */
  public static boolean dependsOnOwners(Holds holds) {
    return holds.unschedulable();
  }

  /**
   * In the order in which they are to be taken.
   *
   * @param owners of those holds that are for an object, by holder
   */
  public static List<Step> decide(
      String node, Holds holds, Map<String, Owner> owners, Instant now) {
    if (!holds.unschedulable()) {
      return List.of(new Step.Drop());
    }
    List<Step> steps = new ArrayList<>();
    Holds left = holds.expire(now).holds();
    if (!left.equals(holds)) {
      steps.add(new Step.Expire());
    }
    for (Hold hold : left.byHolder().values()) {
      switch (owners.getOrDefault(hold.holder(), new Owner.Unknown())) {
        case Owner.Unknown() -> {}
        case Owner.Gone(boolean keepsHold) -> steps.add(orphaned(hold, keepsHold));
        case Owner.Present(String uid, String itsNode, boolean keepsHold) -> {
          if (!itsNode.equals(node) || !hold.mayBeOf(uid)) {
            steps.add(orphaned(hold, keepsHold));
          }
        }
      }
    }
    return steps;
  }

  private static Step orphaned(Hold hold, boolean keepsHold) {
    return keepsHold ? new Step.Disown(hold) : new Step.Release(hold);
  }

  /** When time alone brings the next step; {@link Instant#MAX} if never. */
  public static Instant again(Holds holds, Instant now) {
    return holds.expire(now).holds().nextExpiry().orElse(Instant.MAX);
  }
}
