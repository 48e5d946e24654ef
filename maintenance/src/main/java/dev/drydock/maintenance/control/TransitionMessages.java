package dev.drydock.maintenance.control;

import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.MaintenanceStep.Move;

/** The messages of state transitions. */
final class TransitionMessages {
  private TransitionMessages() {}

  static String of(MaintenanceFacts maintenance, Move move) {
    String node = maintenance.node();
    return switch (move.to()) {
      case SCHEDULED -> "maintenance of node " + node + " is scheduled";
      case STARTED ->
          "node %s is labelled and cordoned; pods that remain on it after %s may be removed by force"
              .formatted(node, move.slaExpires().map(Object::toString).orElse("?"));
      case SLA_EXPIRED ->
          "the SLA period has ended; remaining pods on node " + node + " may be removed by force";
      case DRAINED -> "node " + node + " is empty; maintenance may begin";
      case VALIDATING -> "the maintenance is done; node " + node + " is being validated";
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
