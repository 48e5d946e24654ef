package dev.drydock.drain.engine.decide;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What to do now, where the drain stands, and when to ask again if nothing changes before.
 *
 * @param warnings what a person should know about pods that go or stay, in kubectl's words
 * @param mustGo UIDs of all pods that still have to go
 * @param wakeAt the next moment at which time alone changes the decision
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

  /** Where a drain stands. */
  public enum Status {
    /** No pod that had to go exists any more. */
    DONE,
    /** Something is under way. */
    DRAINING,
    /** Nothing moves until something outside changes; the blockers say what. */
    BLOCKED,
    /** The filters refuse a pod, so no pod is touched. */
    REFUSED,
    /** The deadline passed, and the policy says to give up then. */
    FAILED
  }

  /**
   * Pods that had to go since the drain began, including those that landed on the node later.
   *
   * @param stopping terminating, so not gone
   * @param landed of the remaining, those that came after the drain began
   */
  public record Progress(int gone, int remaining, int stopping, int landed) {
    public int total() {
      return gone + remaining;
    }
  }

  /** Whether it was made without seeing the pods. */
  public boolean isBlind() {
    return blockers.stream().anyMatch(blocker -> blocker.reason() == BlockReason.NOT_OBSERVED);
  }

  public Decision {
    actions = List.copyOf(actions);
    blockers = List.copyOf(blockers);
    mustGo = Set.copyOf(mustGo);
  }
}
