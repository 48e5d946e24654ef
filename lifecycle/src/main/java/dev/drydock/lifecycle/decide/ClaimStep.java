package dev.drydock.lifecycle.decide;

import dev.drydock.contracts.lifecycle.ClaimStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The claimer's next step. */
public sealed interface ClaimStep {
  /**
   * Nothing to do until something changes.
   *
   * @param until when to decide again, if nothing does
   */
  record Idle(Optional<Instant> until) implements ClaimStep {
    public Idle() {
      this(Optional.empty());
    }
  }

  /** A step for one event. */
  sealed interface OnEvent extends ClaimStep {
    LifecycleEventFacts event();
  }

  /** Claim the event. */
  record Claim(LifecycleEventFacts event, TransitionFacts transition) implements OnEvent {
    /** The deadline, if it is claimed at this time. */
    public Optional<Instant> sla(Instant claimed) {
      return transition.sla().map((Duration time) -> claimed.plus(time));
    }
  }

  /** The event can never be carried out here; it stays for its author to read. */
  record Reject(LifecycleEventFacts event, String why) implements OnEvent {}

  /** The event counts as claimed here, but lacks the marks of a claim: put them on it. */
  record Mark(LifecycleEventFacts event) implements OnEvent {}

  /**
   * The event is left as it is until it changes; no other event is claimed beside it.
   *
   * @param until when people have to be warned, if it does not change
   */
  record Leave(LifecycleEventFacts event, String why, Optional<Instant> until) implements OnEvent {}

  /** Tell people that nobody here can carry the event out. */
  record Warn(LifecycleEventFacts event, String why) implements OnEvent {}

  /** Call the driver; this replaces a call in progress. */
  record Ask(LifecycleEventFacts event, TransitionFacts transition, DriverCallState.Call call)
      implements OnEvent {}

  /** Write the transition's state to the Node's condition. */
  record Publish(LifecycleEventFacts event, String reason, String node) implements OnEvent {}

  /**
   * Record how the event ended, then delete it.
   *
   * @param driver to be written to an event that was never claimed
   */
  record Finish(LifecycleEventFacts event, ClaimStatus outcome, String why, Optional<String> driver)
      implements OnEvent {
    public Finish(LifecycleEventFacts event, ClaimStatus outcome, String why) {
      this(event, outcome, why, Optional.empty());
    }
  }

  /**
   * The event has ended, but not by a decision of this claimer. If no claimer before it recorded
   * this, somebody else wrote it, and it is recorded like this; then the event is deleted.
   */
  record Verify(LifecycleEventFacts event, ClaimStatus outcome, String why) implements OnEvent {}

  /**
   * Nothing can be done now.
   *
   * @param why for people
   * @param until when to decide again, if nothing happens before
   * @param stalled whether something is missing, which is only tolerated for a limited time
   */
  record Wait(LifecycleEventFacts event, String why, Optional<Instant> until, boolean stalled)
      implements OnEvent {}
}
