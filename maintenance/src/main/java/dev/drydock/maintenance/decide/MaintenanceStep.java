package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceState;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What to do next about a maintenance. Each step may be done twice; after it, decide again. */
public sealed interface MaintenanceStep {

  /**
   * A condition to be set.
   *
   * @param reason a word from a closed set
   */
  record Mark(String type, String status, String reason, String message) {}

  /**
   * Nothing, until something changes or the time has come.
   *
   * @param waitingFor what has to happen, for people; empty when it is over
   */
  record Wait(Optional<Instant> until, String waitingFor) implements MaintenanceStep {}

  /** Put finalizer and label on it. */
  record Adopt() implements MaintenanceStep {}

  /**
   * Put a notice in the outbox, then write the new state.
   *
   * @param waitingFor what has to happen then, for people; empty if a class's clients will say so
   */
  record Move(
      MaintenanceState to,
      Optional<Instant> slaExpires,
      List<Mark> marks,
      NoticeEvent notice,
      String waitingFor)
      implements MaintenanceStep {}

  /**
   * Write conditions, and tell about those that warn.
   *
   * @param waitingFor what has to happen then, for people; empty if that has not changed
   */
  record Remark(List<Mark> marks, String waitingFor) implements MaintenanceStep {
    Remark(List<Mark> marks) {
      this(marks, "");
    }
  }

  /** Put a notice of the deletion in the outbox, then mark the maintenance. */
  record Terminate(NoticeEvent notice) implements MaintenanceStep {}

  /** Cordon the node again. */
  record Recordon() implements MaintenanceStep {}

  /**
   * The node is back: write that into a maintenance that stays, remove labels from the node, put
   * the notice in the outbox, take the finalizer away.
   *
   * @param nodeLabels names, perhaps none
   * @param cancelled it was deleted before the node was empty
   * @param midway somebody uncordoned the node while the maintenance went on
   */
  record Complete(Set<String> nodeLabels, boolean cancelled, boolean midway)
      implements MaintenanceStep {}

  /** It was deleted before it began: remove labels from the node, then the finalizer. */
  record Forget(Set<String> nodeLabels) implements MaintenanceStep {}
}
