package dev.drydock.maintenance.control;

import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.MaintenanceStep.Move;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The messages of state transitions. */
public final class TransitionMessages {
  private TransitionMessages() {}

  private static final Pattern COMPLETED = Pattern.compile("is back after maintenance (\\S+)$");

  /** With the ID, which goes with the object. */
  static String completed(MaintenanceFacts maintenance) {
    return "node %s is back after maintenance %s"
        .formatted(maintenance.node(), maintenance.spec().maintenanceID());
  }

  /** The maintenance's ID in the message of its completion. */
  public static Optional<String> completedId(String message) {
    return Optional.of(COMPLETED.matcher(message))
        .filter(Matcher::find)
        .map(found -> found.group(1));
  }

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
                  move.conditions().isEmpty()
                      ? "?"
                      : move.conditions().getFirst().type()
                          + " "
                          + move.conditions().getFirst().status());
      case NONE, UNKNOWN -> "";
    };
  }
}
