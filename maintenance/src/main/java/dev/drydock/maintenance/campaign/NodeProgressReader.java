package dev.drydock.maintenance.campaign;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.ngn2.MaintenanceNames;
import dev.drydock.contracts.ngn2.MaintenanceState;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import dev.drydock.maintenance.decide.campaign.NodeProgress;
import java.time.Instant;
import java.util.Optional;

/** Reads from a maintenance what became of its node. */
final class NodeProgressReader {
  private NodeProgressReader() {}

  /** Nothing more will be done for it, and its node is back or was never out. */
  static boolean isEnded(MaintenanceFacts maintenance) {
    boolean neverBegan = !maintenance.state().hasBegun();
    return maintenance.isOver()
        || (neverBegan && maintenance.deleted() && !maintenance.finalizer());
  }

  static boolean isProved(MaintenanceFacts maintenance) {
    return maintenance
        .condition(MaintenanceNames.VALIDATION_CONDITION)
        .filter(MaintenanceNames.VALIDATED::equals)
        .isPresent();
  }

  static NodeProgress of(NotifyMaintenanceObject seen, Instant left) {
    MaintenanceFacts facts = seen.facts();
    if (isEnded(facts)) {
      return isProved(facts)
          ? NodeProgress.done(left, seen.since())
          : NodeProgress.failed(left, seen.since(), "it was uncordoned before it was validated");
    }
    if (facts.state() == MaintenanceState.INCOMPLETE) {
      return NodeProgress.failed(left, seen.since(), lastWords(seen));
    }
    return new NodeProgress(NodeProgress.State.IN_FLIGHT, left, Optional.empty(), message(seen));
  }

  private static String message(NotifyMaintenanceObject seen) {
    String waits = text(seen.status(), "waitingFor");
    String state = seen.facts().state().text();
    return waits.isEmpty() ? state : state + ", waits for " + waits;
  }

  /** The last failure in its history. */
  private static String lastWords(NotifyMaintenanceObject seen) {
    String message = "";
    for (JsonNode step : seen.status().path("history")) {
      message = text(step, "message");
    }
    return message;
  }
}
