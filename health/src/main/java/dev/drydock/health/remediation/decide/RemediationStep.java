package dev.drydock.health.remediation.decide;

import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.health.decide.StateLabel;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The next step for a node. Every step is idempotent; decide again after it. */
public sealed interface RemediationStep {
  /**
   * Nothing, until something changes or the given time.
   *
   * @param why for people; empty if nothing is to be done
   */
  record Wait(String why, Optional<Instant> until) implements RemediationStep {}

  /**
   * Write what is known and intended on the Node, if it has not changed since.
   *
   * @param label the state label; as it is if absent
   */
  record Write(RemediationJournal journal, Optional<StateLabel> label, List<RemediationNote> notes)
      implements RemediationStep {
    public Write {
      notes = List.copyOf(notes);
    }
  }

  /** Make the resource of an attempt that was written down. */
  record Make(RemediationAttempt attempt, RemediationAction action, HealthEvent event)
      implements RemediationStep {}

  /** Delete a resource whose work has not begun, because nothing is left to be remedied. */
  record Withdraw(RemediationAttempt attempt) implements RemediationStep {}

  /**
   * Store what came of events.
   *
   * @param verdicts by event: empty if a resource was made for it, otherwise why not
   */
  record Conclude(Map<String, Optional<Refusal>> verdicts) implements RemediationStep {
    public Conclude {
      verdicts = Map.copyOf(verdicts);
    }
  }

  /** Why nothing is done about an event: a closed set. */
  enum Refusal {
    /** No resource is configured for its action. */
    UNSUPPORTED,
    /** It names no entity of the type that the resource is for. */
    NO_ENTITY,
    /** As many resources were made as may be. */
    EXHAUSTED,
    /** The last resource failed. */
    FAILED
  }
}
