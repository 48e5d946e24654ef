package dev.drydock.maintenance.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything a decision about one maintenance depends on.
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
   * What the operator was told.
   *
   * @param slaPeriod from the start until what remains may be removed by force
   * @param recordon a node that somebody uncordons while it is maintained is cordoned again;
   *     otherwise that ends the maintenance
   */
  public record Rules(Duration slaPeriod, boolean recordon) {}

  public MaintenanceInput {
    others = List.copyOf(others);
  }
}
