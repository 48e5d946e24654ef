package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The next step for a maintenance. Every step is idempotent; decide again after it. */
public sealed interface MaintenanceStep {

  /**
   * A condition to set.
   *
   * @param reason from a fixed set
   * @param event what is also recorded, if people should hear of it
   */
  record ConditionChange(
      String type, String status, String reason, String message, Optional<MaintenanceEvent> event) {
    public ConditionChange(String type, String status, String reason, String message) {
      this(type, status, reason, message, Optional.empty());
    }

    static ConditionChange warning(
        String type, String status, MaintenanceEvent event, String message) {
      return new ConditionChange(type, status, event.name(), message, Optional.of(event));
    }
  }

  /**
   * Nothing, until something changes or the given time.
   *
   * @param waitingFor what has to happen, for people; empty when it has ended
   */
  record Wait(Optional<Instant> until, String waitingFor) implements MaintenanceStep {}

  /** Set finalizer and label. */
  record Adopt() implements MaintenanceStep {}

  /** Put back the finalizer that somebody removed, and tell people. */
  record Restore() implements MaintenanceStep {}

  /** Write down that it is over: another controller ended it, which left no other trace. */
  record Settle() implements MaintenanceStep {}

  /**
   * Put a notice in the outbox, then write the new state.
   *
   * @param message why it is in the new state, for people
   * @param waitingFor what has to happen then, for people; empty if a class's clients will say so
   */
  record Move(
      MaintenanceState to,
      Optional<Instant> slaExpires,
      List<ConditionChange> conditions,
      NoticeEvent notice,
      String message,
      String waitingFor)
      implements MaintenanceStep {}

  /**
   * Write conditions, and record the Events of those that have one.
   *
   * @param waitingFor what has to happen then, for people; empty if that has not changed
   */
  record WriteConditions(List<ConditionChange> conditions, String waitingFor)
      implements MaintenanceStep {
    WriteConditions(List<ConditionChange> conditions) {
      this(conditions, "");
    }
  }

  /** Put a notice of the deletion in the outbox, then mark the maintenance. */
  record Terminate(NoticeEvent notice) implements MaintenanceStep {}

  /** Cordon the node again. */
  record Recordon() implements MaintenanceStep {}

  /**
   * The node is back: record that in a maintenance that stays, remove labels from the node, put the
   * notice in the outbox, remove the finalizer.
   *
   * @param nodeLabels names, may be empty
   * @param cancelled it was deleted before the node was empty
   * @param midway someone uncordoned the node during the maintenance
   */
  record Complete(Set<String> nodeLabels, boolean cancelled, boolean midway)
      implements MaintenanceStep {}

  /** It was deleted before it began: remove labels from the node, then the finalizer. */
  record Forget(Set<String> nodeLabels) implements MaintenanceStep {}
}
