package dev.drydock.drain.hold.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Whether a node is held for a drain, and what leads from one state to the next. Whoever runs the
 * drain carries it out.
 *
 * @param heldBefore when the node was held first, if its Node was deleted and created again since:
 *     the new one has no holds
 */
public record HoldClaim(Claimant claimant, State state, Optional<Instant> heldBefore) {
  /** A node that cannot be held is looked at again after this to twice this time. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  /**
   * Who holds the node, and how.
   *
   * @param owner the UID of the object that the hold is for
   * @param holdAgain whether to hold the node again if someone uncordons it; otherwise the drain
   *     ends
   * @param patient whether to wait while the node cannot be held; otherwise the drain ends
   * @param earlier what an earlier process did for this drain
   */
  public record Claimant(
      String holder,
      Optional<String> owner,
      String reason,
      boolean holdAgain,
      boolean patient,
      EarlierDrain earlier) {
    /** What keeps the node out of service for this drain. */
    public Hold hold(Instant since) {
      Hold hold = Hold.of(holder, reason, since);
      return owner.map(hold::ownedBy).orElse(hold);
    }
  }

  /** Whether the node is held. */
  public sealed interface State {
    /** Not yet, and not known why it should not be. */
    record Pending(String why) implements State {}

    record Placed(Instant since) implements State {}

    /** There is no room for it, or the holds cannot be read: until somebody changes the node. */
    record Waiting(String why) implements State {}

    /** The andon cord is pulled, and the node was not held before: until the cord is released. */
    record Stopped(String why) implements State {}

    /** It never will be. */
    record Impossible(String why) implements State {}

    /**
     * A person ended the drain.
     *
     * @param since when the node was held, if it was for this drain
     */
    record CalledOff(String why, Optional<Instant> since) implements State {}
  }

  /** Why a node could not be held. */
  public enum Failure {
    /** The same request may succeed later. */
    PASSING,
    /** The holds cannot be read, or there is no room for another one. */
    UNUSABLE,
    FINAL
  }

  /**
   * What to write to hold the node.
   *
   * @param instead the state if the node is not to be held
   */
  public record Attempt(Holds.Change change, Optional<State> instead) {}

  public static HoldClaim begin(Claimant claimant) {
    return new HoldClaim(claimant, new State.Pending("not placed yet"), Optional.empty());
  }

  /** Whether the node is to be held, or to be looked at for that. */
  public boolean isDue() {
    return switch (state) {
      case State.Pending _, State.Waiting _, State.Stopped _ -> true;
      case State.Placed _, State.Impossible _, State.CalledOff _ -> false;
    };
  }

  /** Why the node is not held, while that can only be waited for. */
  public Optional<String> notHeld() {
    return switch (state) {
      case State.Waiting(String why) -> Optional.of(why);
      case State.Stopped(String why) -> Optional.of(why);
      default -> Optional.empty();
    };
  }

  /** Since when the node is held for this drain; also when a person has ended it. */
  public Optional<Instant> since() {
    return switch (state) {
      case State.Placed(Instant since) -> Optional.of(since);
      case State.CalledOff(_, Optional<Instant> since) -> since;
      default -> Optional.empty();
    };
  }

  /**
   * How long to wait for somebody to change the node. Each holder at its own time: when there is
   * room for one, not all of them ask for it.
   */
  public Duration lookAgainIn() {
    int spread = Math.floorMod(claimant.holder().hashCode(), (int) LOOK_AGAIN.toMillis());
    return LOOK_AGAIN.plusMillis(spread);
  }

  /**
   * Holds the node, unless a person ended the drain while no process ran it, or the andon cord
   * keeps nodes in service that are not held yet.
   *
   * @param holds as they are now
   * @param cord why the andon cord is pulled, if it is
   */
  public Attempt attempt(Holds holds, Optional<String> cord, Instant now) {
    EarlierDrain earlier = heldBefore.isPresent() ? EarlierDrain.NONE : claimant.earlier();
    HoldLoss loss = HoldLoss.since(earlier, holds, claimant.holder(), claimant.owner());
    if (loss instanceof HoldLoss.CalledOff ended) {
      return new Attempt(
          holds.observe(), Optional.of(new State.CalledOff(ended.message(), Optional.empty())));
    }
    if (cord.isPresent() && !holds.heldBy(claimant.holder(), claimant.owner())) {
      return new Attempt(holds.observe(), Optional.of(new State.Stopped(cord.get())));
    }
    return new Attempt(holds.claim(claimant.hold(heldBefore.orElse(now))), Optional.empty());
  }

  /**
   * After an attempt.
   *
   * @param instead what the attempt said
   * @param written the holds as the server returned them
   */
  public HoldClaim after(Optional<State> instead, Holds written) {
    if (instead.isPresent()) {
      return become(instead.get());
    }
    Hold hold = written.byHolder().get(claimant.holder());
    return become(
        hold == null
            ? new State.Pending("the server did not keep the hold")
            : new State.Placed(hold.since()));
  }

  /** After an attempt that failed. */
  public HoldClaim failed(Failure failure, String why) {
    return become(
        switch (failure) {
          case PASSING -> new State.Pending(why);
          case UNUSABLE -> claimant.patient() ? new State.Waiting(why) : new State.Impossible(why);
          case FINAL -> new State.Impossible(why);
        });
  }

  /** What others did to the hold that was placed. */
  public HoldLoss loss(Holds holds) {
    return state instanceof State.Placed
        ? HoldLoss.of(holds, claimant.holder(), claimant.owner(), claimant.holdAgain())
        : new HoldLoss.None();
  }

  /** The Node was deleted and created again. */
  public HoldClaim replaced() {
    return new HoldClaim(
        claimant, new State.Pending("the Node was deleted and created again"), since());
  }

  /** A person ended the drain. */
  public HoldClaim calledOff(String why) {
    return become(new State.CalledOff(why, since()));
  }

  private HoldClaim become(State next) {
    return new HoldClaim(claimant, next, heldBefore);
  }
}
