package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * What decisions need of a LifecycleEvent.
 *
 * @param deleting somebody has deleted it, but a finalizer keeps it
 * @param guarded it has the finalizer of a claim
 * @param ours Drydock has marked it as claimed, or as about to be
 * @param sla until when it has to be over
 * @param message what its status says now
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
    String message) {

  /** First come, first served. */
  public static final Comparator<LifecycleEventFacts> BY_AGE =
      Comparator.comparing(LifecycleEventFacts::created)
          .thenComparing(event -> event.ref().name())
          .thenComparing(event -> event.ref().group());

  public LifecycleRef transitionRef() {
    return new LifecycleRef(ref.group(), transition);
  }
}
