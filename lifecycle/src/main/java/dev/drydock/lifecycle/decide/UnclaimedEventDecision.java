package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Decides about events that no claimer handles, with a view of the whole cluster. */
public sealed interface UnclaimedEventDecision {
  /** Nothing, at least until then. */
  record Leave(Optional<Instant> until) implements UnclaimedEventDecision {}

  /** Mark it as failed, and leave it for its author to read. */
  record Fail(String why) implements UnclaimedEventDecision {}

  /** Mark it as failed and remove the finalizer: its claimer is gone with the node. */
  record Finish(String why) implements UnclaimedEventDecision {}

  /**
   * Decides about one event.
   *
   * @param nodeExists whether the node exists; absent if unknown
   * @param patience how long an event may wait to be claimed; and how long a claimed one stays
   *     after its node is gone, so that a node replaced by one of the same name can continue
   * @param nodeGoneSince when its node was first missing
   * @param deletedSince since when it is known to be deleted; its claimer lets it go much sooner
   */
  static UnclaimedEventDecision decide(
      LifecycleEventFacts event,
      String node,
      Optional<Boolean> nodeExists,
      Optional<Instant> nodeGoneSince,
      Optional<Instant> deletedSince,
      Duration patience,
      Instant now) {
    boolean gone = nodeExists.isPresent() && !nodeExists.get();
    if (event.claim() == ClaimStatus.Pending && !event.deleting()) {
      Instant end = event.created().plus(patience);
      if (now.isBefore(end)) {
        return new Leave(Optional.of(end));
      }
      if (nodeExists.isEmpty() || isQueued(event)) {
        return new Leave(Optional.empty());
      }
      return new Fail(why(event, node, gone, patience));
    }
    if (!event.guarded()) {
      return new Leave(Optional.empty());
    }
    if (gone) {
      Instant end = nodeGoneSince.orElse(now).plus(ClaimDecider.GRACE);
      return now.isBefore(end)
          ? new Leave(Optional.of(end))
          : new Finish("node " + node + " is gone");
    }
    return nodeExists.isPresent() && event.deleting() && event.ours()
        ? letGo(node, deletedSince.orElse(now).plus(patience), patience, now)
        : new Leave(Optional.empty());
  }

  /** A deleted event does not hang on the finalizer of an agent that is not there any more. */
  private static UnclaimedEventDecision letGo(
      String node, Instant end, Duration patience, Instant now) {
    return now.isBefore(end)
        ? new Leave(Optional.of(end))
        : new Finish(
            "deleted, but not let go within %d s; is the agent of Drydock running on node %s? The node may still be held"
                .formatted(patience.toSeconds(), node));
  }

  /** Its claimer has seen it and will process it. */
  private static boolean isQueued(LifecycleEventFacts event) {
    return event.message().startsWith(ClaimDecider.AFTER);
  }

  private static String why(
      LifecycleEventFacts event, String node, boolean gone, Duration patience) {
    if (gone) {
      return "there is no node " + node;
    }
    String waited =
        event.message().isEmpty()
            ? "no agent claims events of node " + node + "; is 'drydock agent' running there?"
            : event.message();
    return "not claimed within %d s: %s".formatted(patience.toSeconds(), waited);
  }
}
