package dev.drydock.maintenance.decide;

import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import java.time.Instant;
import java.util.Optional;

/** Says what has to happen next. */
final class WaitMessages {
  private WaitMessages() {}

  static MaintenanceStep.Wait of(MaintenanceInput input) {
    MaintenanceFacts maintenance = input.maintenance();
    Optional<Instant> until =
        maintenance.state() == MaintenanceState.STARTED && !maintenance.terminated()
            // only then it has passed
            ? maintenance.slaExpires().map(end -> end.plusMillis(1))
            : Optional.empty();
    String what =
        maintenance.terminated()
            ? "node " + maintenance.node() + " to be uncordoned"
            : maintenance.state() == MaintenanceState.VALIDATING && maintenance.isProved()
                ? forReturn(maintenance)
                : waitingFor(maintenance.state(), maintenance);
    return new MaintenanceStep.Wait(until, what);
  }

  /** What a maintenance waits for once it is in a state; a class's clients say so themselves. */
  static String after(MaintenanceState to, MaintenanceFacts maintenance) {
    return maintenance.spec().maintenanceClass() == null ? waitingFor(to, maintenance) : "";
  }

  /** What a maintenance waits for after its node was validated. */
  static String afterProof(MaintenanceFacts maintenance) {
    return maintenance.spec().maintenanceClass() == null ? forReturn(maintenance) : "";
  }

  private static String forReturn(MaintenanceFacts maintenance) {
    return "someone to delete this object and uncordon node " + maintenance.node();
  }

  /** What a maintenance in a state waits for, when other operators do the work. */
  static String waitingFor(MaintenanceState state, MaintenanceFacts maintenance) {
    return switch (state) {
      case NONE -> "";
      case SCHEDULED ->
          "a scheduler to label node %s %s and cordon it"
              .formatted(maintenance.node(), maintenance.nodeLabel());
      case STARTED, SLA_EXPIRED ->
          "node %s to be drained, then annotation %s=true"
              .formatted(maintenance.node(), MaintenanceNames.READY);
      case DRAINED ->
          "the maintenance client: annotation %s=complete or incomplete"
              .formatted(MaintenanceNames.MAINTENANCE_CLIENT);
      case VALIDATING ->
          "the validation client: annotation %s=validated or failed; once validated, delete this object and uncordon node %s"
              .formatted(MaintenanceNames.VALIDATION_CLIENT, maintenance.node());
      case INCOMPLETE ->
          "someone to repair node %s, delete this object and uncordon the node"
              .formatted(maintenance.node());
      case UNKNOWN -> "someone to delete this object: its state is unknown";
    };
  }
}
