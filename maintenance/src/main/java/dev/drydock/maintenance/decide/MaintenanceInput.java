package dev.drydock.maintenance.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The inputs of a decision about one maintenance.
 *
 * @param node empty if it does not exist
 * @param others the other maintenances of the same node
 */
public record MaintenanceInput(
    MaintenanceFacts maintenance,
    Optional<MaintainedNode> node,
    List<MaintenanceFacts> others,
    Rules rules,
    Instant now) {

  /**
   * The operator's settings.
   *
   * @param slaPeriod from the start until remaining pods may be removed by force
   * @param recordon a node that someone uncordons during maintenance is cordoned again; otherwise
   *     that ends the maintenance
   */
  public record Rules(Duration slaPeriod, boolean recordon) {}

  public MaintenanceInput {
    others = List.copyOf(others);
  }
}
