package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import java.time.Duration;
import java.util.Optional;

/** Decides about events that no claimer handles, with a view of the whole cluster. */
public sealed interface UnclaimedEventDecision {
  /** Nothing, at least for this time. */
  record Leave(Optional<Duration> left) implements UnclaimedEventDecision {}

  /** Mark it as failed, and leave it for its author to read. */
  record Fail(String why) implements UnclaimedEventDecision {}

  /** Mark it as failed and remove the finalizer: its claimer is gone with the node. */
  record Finish(String why) implements UnclaimedEventDecision {}

  /**
   * For how long this process has seen something: measured, not computed from times that other
   * clocks wrote.
   *
   * @param event the event itself
   * @param nodeGone that its node is missing
   * @param deleted that it is deleted; its claimer lets it go much sooner
   * @param first that no other event of its node is at work; empty while one is
   */
  record Seen(Duration event, Duration nodeGone, Duration deleted, Optional<Duration> first) {}

  /**
   * Decides about one event.
   *
   * @param nodeExists whether the node exists; absent if unknown
   * @param patience how long an event may wait to be claimed; and how long a claimed one stays
   *     after its node is gone, so that a node replaced by one of the same name can continue
   */
  static UnclaimedEventDecision decide(
      LifecycleEventFacts event,
      String node,
      Optional<Boolean> nodeExists,
      Seen seen,
      Duration patience) {
    boolean gone = nodeExists.isPresent() && !nodeExists.get();
    if (event.claim() == ClaimStatus.Pending && !event.deleting()) {
      Duration left = patience.minus(seen.event());
      if (left.isPositive()) {
        return new Leave(Optional.of(left));
      }
      if (nodeExists.isEmpty()) {
        return new Leave(Optional.empty());
      }
      return isQueued(event)
          ? queued(node, gone, seen, patience)
          : new Fail(why(event, node, gone, patience));
    }
    if (!event.guarded()) {
      return new Leave(Optional.empty());
    }
    if (gone) {
      Duration left = ClaimDecider.GRACE.minus(seen.nodeGone());
      return left.isPositive()
          ? new Leave(Optional.of(left))
          : new Finish("node " + node + " is gone");
    }
    return nodeExists.isPresent() && event.deleting() && event.ours()
        ? letGo(node, patience.minus(seen.deleted()), patience)
        : new Leave(Optional.empty());
  }

  /** A deleted event does not hang on the finalizer of an agent that is not there any more. */
  private static UnclaimedEventDecision letGo(String node, Duration left, Duration patience) {
    return left.isPositive()
        ? new Leave(Optional.of(left))
        : new Finish(
            "deleted, but not let go within %d s; is the agent of Drydock running on node %s? The node may still be held"
                .formatted(patience.toSeconds(), node));
  }

  /**
   * Its claimer had seen it and would have processed it. That is believed while the node exists and
   * as long as there is something to wait for: a claimer that is gone does not take its word back.
   */
  private static UnclaimedEventDecision queued(
      String node, boolean gone, Seen seen, Duration patience) {
    if (gone) {
      Duration left = ClaimDecider.GRACE.minus(seen.nodeGone());
      return left.isPositive() ? new Leave(Optional.of(left)) : new Fail(noNode(node));
    }
    if (seen.first().isEmpty()) {
      return new Leave(Optional.empty());
    }
    Duration left = patience.minus(seen.first().get());
    return left.isPositive()
        ? new Leave(Optional.of(left))
        : new Fail(
            "not claimed within %d s after the LifecycleEvents that came first; is 'drydock agent' running on node %s?"
                .formatted(patience.toSeconds(), node));
  }

  private static String noNode(String node) {
    return "there is no node " + node;
  }

  /** Its claimer says that it waits for others. */
  private static boolean isQueued(LifecycleEventFacts event) {
    return event.message().startsWith(ClaimDecider.AFTER);
  }

  private static String why(
      LifecycleEventFacts event, String node, boolean gone, Duration patience) {
    if (gone) {
      return noNode(node);
    }
    String waited =
        event.message().isEmpty()
            ? "no agent claims events of node " + node + "; is 'drydock agent' running there?"
            : event.message();
    return "not claimed within %d s: %s".formatted(patience.toSeconds(), waited);
  }
}
