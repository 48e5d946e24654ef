package dev.drydock.app.status;

import static dev.drydock.kube.Fields.list;
import static dev.drydock.kube.Fields.text;
import static dev.drydock.kube.Fields.time;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.nvsentinel.DrainRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A DrainRequest, served by any drainer.
 *
 * @param complete no pod that had to leave is left
 * @param reason its state in one word; empty before a drainer served it
 * @param message the same for people
 * @param eta empty if unknown
 * @param blockers a line for each obstacle
 */
record DrainRequestSnapshot(
    String id,
    String node,
    Instant created,
    boolean complete,
    String reason,
    String message,
    String eta,
    List<String> blockers) {
  private static final int PODS_SHOWN = 3;

  static DrainRequestSnapshot read(JsonNode request) {
    JsonNode metadata = request.path("metadata");
    JsonNode status = request.path("status");
    JsonNode condition = complete(status);
    List<String> blockers = new ArrayList<>();
    for (JsonNode blocker : status.path("blockers")) {
      String next = text(blocker, "next");
      blockers.add(
          pods(list(blocker.path("pods")))
              + text(blocker, "message")
              + (next.isEmpty() ? "" : "; next: " + next));
    }
    return new DrainRequestSnapshot(
        text(metadata, "namespace") + "/" + text(metadata, "name"),
        text(request.path("spec"), "nodeName"),
        time(metadata, "creationTimestamp"),
        text(condition, "status").equals("True"),
        text(condition, "reason"),
        text(condition, "message"),
        text(status, "eta"),
        blockers);
  }

  private static String pods(List<String> pods) {
    if (pods.isEmpty()) {
      return "";
    }
    int more = pods.size() - PODS_SHOWN;
    return String.join(", ", pods.subList(0, Math.min(PODS_SHOWN, pods.size())))
        + (more > 0 ? " and " + more + " more: " : ": ");
  }

  private static JsonNode complete(JsonNode status) {
    for (JsonNode condition : status.path("conditions")) {
      if (text(condition, "type").equals(DrainRequest.COMPLETE_CONDITION)) {
        return condition;
      }
    }
    return status.path(DrainRequest.COMPLETE_CONDITION);
  }

  /** Whether it has ended. */
  boolean isOver() {
    return complete || reason.equals("DrainCancelled");
  }

  /** The corresponding state of its node. */
  String state() {
    return switch (reason) {
      case "Refused" -> "drain refused";
      case "DrainFailed" -> "drain failed";
      default -> "draining";
    };
  }

  /** What it waits for. */
  List<String> waits() {
    if (!blockers.isEmpty()) {
      return blockers;
    }
    return switch (reason) {
      case "" -> List.of("DrainRequest " + id + " to be served; is 'drydock operator' running?");
      case "Draining" -> List.of();
      default -> message.isEmpty() ? List.of() : List.of(message);
    };
  }
}
