package dev.drydock.maintenance.decide;

import dev.drydock.maintenance.decide.MaintenanceStep.ConditionChange;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The messages of state transitions. */
public final class TransitionMessages {
  private TransitionMessages() {}

  private static final Pattern COMPLETED = Pattern.compile("is back after maintenance (\\S+)$");

  static String scheduled(String node) {
    return "maintenance of node " + node + " is scheduled";
  }

  static String started(String node, Instant deadline) {
    return "node %s is labelled and cordoned; pods that remain on it after %s may be removed by force"
        .formatted(node, deadline);
  }

  static String slaExpired(String node) {
    return "the SLA period has ended; remaining pods on node " + node + " may be removed by force";
  }

  static String drained(String node) {
    return "node " + node + " is empty; maintenance may begin";
  }

  static String validating(String node) {
    return "the maintenance is done; node " + node + " is being validated";
  }

  /**
   * The message of a maintenance that failed.
   *
   * @param why the client's report
   */
  static String incomplete(String node, ConditionChange why) {
    return "node %s is not fit for production: %s %s".formatted(node, why.type(), why.status());
  }

  /** With the ID, which goes with the object. */
  public static String completed(MaintenanceFacts maintenance) {
    return "node %s is back after maintenance %s"
        .formatted(maintenance.node(), maintenance.spec().maintenanceID());
  }

  /** The ID in the message of a completion: earlier versions did not annotate their Events. */
  public static Optional<String> completedId(String message) {
    return Optional.of(COMPLETED.matcher(message))
        .filter(Matcher::find)
        .map(found -> found.group(1));
  }
}
