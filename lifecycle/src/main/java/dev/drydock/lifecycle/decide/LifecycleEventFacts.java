package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * The facts about a LifecycleEvent that decisions need.
 *
 * @param deleting it has a deletionTimestamp, but a finalizer keeps it
 * @param guarded it has the finalizer of a claim
 * @param ours Drydock has marked it as claimed, or is about to claim it
 * @param sla the deadline
 * @param message the current message in its status
 * @param fault why the deadline cannot be read, so that the event has to wait; empty if it can
 */
public record LifecycleEventFacts(
    LifecycleRef ref,
    String uid,
    String transition,
    Instant created,
    boolean deleting,
    boolean guarded,
    boolean ours,
    ClaimStatus claim,
    Optional<Instant> sla,
    String message,
    String fault) {

  /** Ordered by creation. */
  public static final Comparator<LifecycleEventFacts> BY_AGE =
      Comparator.comparing(LifecycleEventFacts::created)
          .thenComparing(event -> event.ref().name())
          .thenComparing(event -> event.ref().group());

  boolean isFaulty() {
    return !fault.isEmpty();
  }

  /** Whether other events of its node wait for it: it is claimed, or its claimer has yet to go. */
  public boolean isAtWork() {
    return claim == ClaimStatus.Claimed || (claim.isTerminal() && guarded);
  }

  public LifecycleRef transitionRef() {
    return new LifecycleRef(ref.group(), transition);
  }
}
