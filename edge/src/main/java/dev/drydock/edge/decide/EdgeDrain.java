package dev.drydock.edge.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that a drain at the edge remembers. It is stored after each change, so that a
 * restarted agent goes on where the last one stopped.
 *
 * @param state as published
 * @param served the requests that this drain is for
 * @param settings those that it began with
 * @param since when the phase began
 * @param again not before this time is the API server asked again
 * @param tries at cordoning, or attempts at draining
 * @param heldSince when our hold was placed; empty without one
 * @param mayBeHeld whether our hold may be on the node: it was asked for, and no answer since has
 *     said that it is gone. The answer to a cordon may be lost, so no phase says this
 * @param released requesters whose operations may go although the drain is not complete
 * @param ending how it became complete
 * @param disabled whether a person has switched drains off
 * @param toRelease whether our hold has to be released
 * @param message what it waits for or why it ended, for people
 */
public record EdgeDrain(
    NodeDrainState state,
    Phase phase,
    Map<DrainRequester, NodeDrainRequest> served,
    EdgeSettings settings,
    Instant since,
    Instant again,
    int tries,
    Optional<Instant> heldSince,
    boolean mayBeHeld,
    Set<DrainRequester> released,
    Optional<Ending> ending,
    boolean disabled,
    boolean toRelease,
    String message) {

  /** What it is doing. */
  public enum Phase {
    IDLE,
    ACCEPTED,
    /** Finds out whether the API server answers. */
    PROBING,
    CORDONING,
    /** Looks whether pods can run on another node. */
    DETECTING,
    DRAINING,
    /** The last attempt failed; it depends on the other nodes what comes next. */
    ATTEMPT_FAILED,
    PAUSING,
    ENDED
  }

  /** How a drain became complete. */
  public enum Ending {
    DRAINED(true),
    NO_PEER(false),
    NO_PEER_AFTER_FAILURE(true),
    API_UNREACHABLE(false),
    FORCED(false);

    private final boolean measured;

    Ending(boolean measured) {
      this.measured = measured;
    }

    /** Whether its time is logged and counted: only where pods were evicted. */
    public boolean isMeasured() {
      return measured;
    }

    /** Whether the cluster is looked at once more before the machine goes. */
    public boolean isChecked() {
      return this != API_UNREACHABLE && this != FORCED;
    }
  }

  public EdgeDrain {
    served = Map.copyOf(served);
    released = Set.copyOf(released);
    mayBeHeld = mayBeHeld || heldSince.isPresent() || phase == Phase.CORDONING;
  }

  /** The state of an agent that has just started for the first time. */
  public static EdgeDrain atStart(Instant now) {
    return new EdgeDrain(
        NodeDrainState.NOTSUPPORTED,
        Phase.IDLE,
        Map.of(),
        EdgeSettings.DEFAULT,
        now,
        now,
        0,
        Optional.empty(),
        false,
        Set.of(),
        Optional.empty(),
        false,
        false,
        "");
  }

  /** Without a drain, but with what is known about the hold. */
  EdgeDrain idle(NodeDrainState next, Map<DrainRequester, NodeDrainRequest> known, Instant now) {
    return new EdgeDrain(
        next,
        Phase.IDLE,
        known,
        settings,
        now,
        now,
        0,
        heldSince,
        mayBeHeld,
        Set.of(),
        Optional.empty(),
        false,
        toRelease,
        "");
  }

  EdgeDrain accepted(Map<DrainRequester, NodeDrainRequest> requests, EdgeSettings now, Instant at) {
    return new EdgeDrain(
        NodeDrainState.REQUESTED,
        Phase.ACCEPTED,
        requests,
        now,
        at,
        at,
        0,
        heldSince,
        mayBeHeld,
        released,
        Optional.empty(),
        false,
        false,
        "");
  }

  /** Another phase, which begins without a message. */
  EdgeDrain phase(NodeDrainState nextState, Phase next, Instant now) {
    return new EdgeDrain(
        nextState,
        next,
        served,
        settings,
        now,
        now,
        tries,
        heldSince,
        mayBeHeld,
        released,
        Optional.empty(),
        disabled,
        toRelease,
        "");
  }

  EdgeDrain failed(NodeDrainState how, String why, Instant now) {
    return phase(how, Phase.ENDED, now).saying(why);
  }

  EdgeDrain complete(Ending how, Instant now) {
    EdgeDrain done = phase(NodeDrainState.COMPLETE, Phase.ENDED, now);
    return new EdgeDrain(
        done.state,
        done.phase,
        served,
        settings,
        now,
        now,
        tries,
        heldSince,
        mayBeHeld,
        released,
        Optional.of(how),
        disabled,
        toRelease,
        message);
  }

  EdgeDrain saying(String text) {
    return new EdgeDrain(
        state, phase, served, settings, since, again, tries, heldSince, mayBeHeld, released, ending,
        disabled, toRelease, text);
  }

  EdgeDrain again(Instant at, String why) {
    return new EdgeDrain(
        state, phase, served, settings, since, at, tries, heldSince, mayBeHeld, released, ending,
        disabled, toRelease, why);
  }

  /** With the times of a clock that was set by so much. */
  public EdgeDrain shifted(Duration jump) {
    return new EdgeDrain(
        state,
        phase,
        served,
        settings,
        since.plus(jump),
        again.plus(jump),
        tries,
        heldSince,
        mayBeHeld,
        released,
        ending,
        disabled,
        toRelease,
        message);
  }

  EdgeDrain tries(int number) {
    return new EdgeDrain(
        state, phase, served, settings, since, again, number, heldSince, mayBeHeld, released,
        ending, disabled, toRelease, message);
  }

  EdgeDrain serving(Map<DrainRequester, NodeDrainRequest> requests) {
    return new EdgeDrain(
        state, phase, requests, settings, since, again, tries, heldSince, mayBeHeld, released,
        ending, disabled, toRelease, message);
  }

  /** Since when our hold is on the node; empty if it is known not to be there. */
  EdgeDrain held(Optional<Instant> time) {
    return new EdgeDrain(
        state,
        phase,
        served,
        settings,
        since,
        again,
        tries,
        time,
        time.isPresent(),
        released,
        ending,
        disabled,
        toRelease,
        message);
  }

  EdgeDrain releasing(boolean due) {
    return new EdgeDrain(
        state, phase, served, settings, since, again, tries, heldSince, mayBeHeld, released, ending,
        disabled, due, message);
  }

  EdgeDrain disabled(boolean off) {
    return new EdgeDrain(
        state, phase, served, settings, since, again, tries, heldSince, mayBeHeld, released, ending,
        off, toRelease, message);
  }

  EdgeDrain releasedFor(Collection<DrainRequester> more) {
    Set<DrainRequester> all = EnumSet.noneOf(DrainRequester.class);
    all.addAll(released);
    all.addAll(more);
    return new EdgeDrain(
        state, phase, served, settings, since, again, tries, heldSince, mayBeHeld, all, ending,
        disabled, toRelease, message);
  }

  public boolean isActive() {
    return state.isActive();
  }

  /** The earliest time at which somebody asked for this drain, if it is known. */
  public Optional<Instant> requestedAt() {
    return served.values().stream()
        .filter(NodeDrainRequest::hasTime)
        .map(NodeDrainRequest::requestedAt)
        .min(Instant::compareTo);
  }

  /** Whether the drain is for this requester, or was forced for it. */
  public boolean isFor(DrainRequester requester) {
    return served.containsKey(requester) || released.contains(requester);
  }

  /** The state for one requester. */
  public NodeDrainState stateFor(DrainRequester requester) {
    return released.contains(requester) ? NodeDrainState.COMPLETE : state;
  }

  /**
   * The state for one requester, unknown while nobody can say whether the node is in a cluster.
   *
   * @param clustered whether it is, if that is known
   */
  public NodeDrainState stateFor(DrainRequester requester, Optional<Boolean> clustered) {
    return clustered.isEmpty() && !disabled ? NodeDrainState.UNKNOWN : stateFor(requester);
  }

  /** Whether the cluster is looked at once more before an operation of this requester. */
  public boolean needsLastCheck(DrainRequester requester) {
    return !released.contains(requester) && ending.filter(Ending::isChecked).isPresent();
  }

  /**
   * The one record that the original's clients read. It has room for one requester; device
   * operations come first.
   */
  public NodeDrainStatus published(Map<DrainRequester, NodeDrainRequest> requests) {
    DrainRequester by =
        requests.containsKey(DrainRequester.DEVICEOP)
            ? DrainRequester.DEVICEOP
            : requests.containsKey(DrainRequester.UPDATE)
                ? DrainRequester.UPDATE
                : DrainRequester.NONE;
    if (state == NodeDrainState.NOTSUPPORTED) {
      return new NodeDrainStatus(state, DrainRequester.NONE);
    }
    if (by == DrainRequester.NONE && !released.isEmpty()) {
      return new NodeDrainStatus(
          NodeDrainState.COMPLETE,
          released.size() == 1 ? released.iterator().next() : DrainRequester.NONE);
    }
    return new NodeDrainStatus(stateFor(by), by);
  }
}
