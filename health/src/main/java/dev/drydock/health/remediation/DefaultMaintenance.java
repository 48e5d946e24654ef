package dev.drydock.health.remediation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.contracts.health.HealthEvent;
import dev.drydock.contracts.ngn2.NotifyMaintenance;
import dev.drydock.health.event.SpanId;
import dev.drydock.health.remediation.decide.MaintenanceKind;
import dev.drydock.health.remediation.decide.RemediationAttempt;
import dev.drydock.kube.Json;
import java.util.Optional;

/**
 * What is made for a failure unless a file says otherwise: a NotifyMaintenance, so that a fault
 * runs as planned work does.
 *
 * @param maintenanceClass says how the node is maintained; without it other operators do that
 */
public record DefaultMaintenance(String namespace, Optional<String> maintenanceClass) {
  private static final int ID_BYTES = 8;

  public MaintenanceKind kind() {
    return new MaintenanceKind(
        NotifyMaintenance.GROUP, NotifyMaintenance.VERSION, NotifyMaintenance.KIND, namespace, "");
  }

  ObjectNode body(RemediationAttempt attempt, HealthEvent event) {
    ObjectNode body = Json.object();
    body.putObject("metadata")
        .putObject("annotations")
        .put(RemediationNames.ACTION, event.effectiveAction())
        .put(RemediationNames.EVENT, event.id());
    ObjectNode spec = body.putObject("spec");
    spec.put("nodeObject", event.nodeName());
    spec.put("maintenanceID", id(attempt));
    spec.put("maintenanceType", "unplanned");
    maintenanceClass.ifPresent(name -> spec.put("maintenanceClass", name));
    return body;
  }

  /** Part of a label key, so it is short; of its own for each attempt. */
  private static String id(RemediationAttempt attempt) {
    return "fault-" + SpanId.digest(attempt.resource().name(), ID_BYTES);
  }
}
