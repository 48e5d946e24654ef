package dev.drydock.maintenance.campaign;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.campaign.NodeProgress;
import java.time.Instant;
import java.util.Optional;

/** Reads from a maintenance what became of its node. */
final class NodeProgressReader {
  private NodeProgressReader() {}

  /** Absent if it was cancelled. */
  static Optional<NodeProgress> of(NotifyMaintenanceObject seen, Instant left) {
    return NodeProgress.of(seen.facts(), left, seen.since(), seen.waitingFor(), lastMessage(seen));
  }

  private static String lastMessage(NotifyMaintenanceObject seen) {
    String message = "";
    for (JsonNode step : seen.history()) {
      message = text(step, "message");
    }
    return message;
  }
}
