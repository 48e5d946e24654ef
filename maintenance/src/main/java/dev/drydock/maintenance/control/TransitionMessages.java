package dev.drydock.maintenance.control;

import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.MaintenanceStep.Move;

/** Says in words why a maintenance moved. */
final class TransitionMessages {
  private TransitionMessages() {}

  static String of(MaintenanceFacts maintenance, Move move) {
    String node = maintenance.node();
    return switch (move.to()) {
      case SCHEDULED -> "seen; node " + node + " is to be maintained";
      case STARTED ->
          "node %s is labelled and cordoned; what remains on it after %s may be removed by force"
              .formatted(node, move.slaExpires().map(Object::toString).orElse("?"));
      case SLA_EXPIRED ->
          "the time is up; what remains on node " + node + " may be removed by force";
      case DRAINED -> "node " + node + " is empty and may be worked on";
      case VALIDATING -> "the work is done; node " + node + " is to be validated";
      case INCOMPLETE ->
          "node %s is not fit for production: %s"
              .formatted(
                  node,
                  move.marks().isEmpty()
                      ? "?"
                      : move.marks().getFirst().type() + " " + move.marks().getFirst().status());
      case NONE, UNKNOWN -> "";
    };
  }
}
