package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One stored campaign.
 *
 * @param maintenanceClass absent if the class does not exist
 * @param progress by node, from the campaign's maintenances, also for nodes that no longer match
 *     the selector
 * @param recordLost why it is not known which nodes are done, if so
 */
public record CampaignState(
    String name,
    String uid,
    Instant created,
    MaintenanceCampaignSpec spec,
    Optional<MaintenanceClassSpec> maintenanceClass,
    Optional<String> approvedBy,
    Map<String, NodeProgress> progress,
    Optional<String> recordLost) {
  public CampaignState {
    progress = Map.copyOf(progress);
  }

  /** One whose record is complete. */
  public CampaignState(
      String name,
      String uid,
      Instant created,
      MaintenanceCampaignSpec spec,
      Optional<MaintenanceClassSpec> maintenanceClass,
      Optional<String> approvedBy,
      Map<String, NodeProgress> progress) {
    this(name, uid, created, spec, maintenanceClass, approvedBy, progress, Optional.empty());
  }

  CampaignState with(Map<String, NodeProgress> newer) {
    return new CampaignState(
        name, uid, created, spec, maintenanceClass, approvedBy, newer, recordLost);
  }
}
