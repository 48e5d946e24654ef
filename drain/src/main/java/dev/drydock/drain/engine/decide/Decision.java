package dev.drydock.drain.engine.decide;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What to do now, the drain's state, and when to decide again if nothing changes before.
 *
 * @param warnings about pods that leave or stay, in kubectl's wording
 * @param mustGo UIDs of all pods that still have to leave
 * @param wakeAt the next time at which the decision changes by time alone
 */
public record Decision(
    Status status,
    List<Action> actions,
    List<Blocker> blockers,
    List<String> warnings,
    Progress progress,
    Eta eta,
    Set<String> mustGo,
    Optional<Instant> wakeAt) {

  /** The state of a drain. */
  public enum Status {
    /** No pod that had to leave exists any more. */
    DONE,
    /** Requests are in flight or pods are terminating. */
    DRAINING,
    /** Nothing moves until something outside changes; the blockers say what. */
    BLOCKED,
    /** The filters refuse a pod, so no pod is touched. */
    REFUSED,
    /** The deadline passed, and the policy says to give up. */
    FAILED
  }

  /**
   * Pods that had to leave since the drain began, including those that arrived later.
   *
   * @param stopping terminating, so not gone
   * @param landed of the remaining, those that arrived after the drain began
   */
  public record Progress(int gone, int remaining, int stopping, int landed) {
    public int total() {
      return gone + remaining;
    }
  }

  /** Whether it was made without knowing the pods. */
  public boolean isBlind() {
    return blockers.stream().anyMatch(blocker -> blocker.reason() == BlockReason.NOT_OBSERVED);
  }

  /** Whether the node could not be held for the drain. */
  public boolean isNotHeld() {
    return blockers.stream().anyMatch(blocker -> blocker.reason() == BlockReason.NOT_HELD);
  }

  public Decision {
    actions = List.copyOf(actions);
    blockers = List.copyOf(blockers);
    mustGo = Set.copyOf(mustGo);
  }
}
