package dev.drydock.maintenance.metrics;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Fields;
import java.time.Instant;

/**
 * The facts about one maintenance that metrics use.
 *
 * @param status the state that it counts in; empty for none
 */
public record MaintenanceSample(
    String namespace,
    String name,
    String maintenanceID,
    String node,
    String owner,
    String type,
    String status,
    Instant created) {

  /** From a NotifyMaintenance. */
  public static MaintenanceSample read(JsonNode object) {
    JsonNode metadata = object.path("metadata");
    JsonNode spec = object.path("spec");
    return new MaintenanceSample(
        Fields.text(metadata, "namespace"),
        Fields.text(metadata, "name"),
        Fields.text(spec, "maintenanceID"),
        Fields.text(spec, "nodeObject"),
        Fields.text(spec, "owner"),
        Fields.text(spec, "maintenanceType"),
        Fields.text(object.path("status"), "maintenanceStatus"),
        Fields.time(metadata, "creationTimestamp"));
  }

  /** This sample, counted in no state. */
  MaintenanceSample withoutState() {
    return new MaintenanceSample(namespace, name, maintenanceID, node, owner, type, "", created);
  }
}
