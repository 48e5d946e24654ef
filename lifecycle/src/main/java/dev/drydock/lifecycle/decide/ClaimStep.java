package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What the claimer does next. */
public sealed interface ClaimStep {
  /** There is nothing to do until something changes. */
  record Idle() implements ClaimStep {}

  /** Makes the event ours. */
  record Claim(LifecycleEventFacts event, TransitionFacts transition) implements ClaimStep {
    /** Until when it has to be over, if it is claimed at a moment. */
    public Optional<Instant> sla(Instant claimed) {
      return transition.sla().map((Duration time) -> claimed.plus(time));
    }
  }

  /** The event can never be carried out here; it stays for its author to read. */
  record Reject(LifecycleEventFacts event, String why) implements ClaimStep {}

  /** Calls the driver; a call that is under way is over with that. */
  record Ask(LifecycleEventFacts event, TransitionFacts transition, DriverCallState.Call call)
      implements ClaimStep {}

  /** Tells by the condition of a node where its transition stands. */
  record Publish(LifecycleEventFacts event, String reason, String node) implements ClaimStep {}

  /** Says how the event ended, keeps that, and lets it go. */
  record Finish(LifecycleEventFacts event, ClaimStatus outcome, String why) implements ClaimStep {}

  /**
   * Nothing can be done now.
   *
   * @param why for people
   * @param until when to look again, if nothing happens before
   * @param stalled whether what is needed is missing, which does not go on for ever
   */
  record Wait(LifecycleEventFacts event, String why, Optional<Instant> until, boolean stalled)
      implements ClaimStep {}
}
