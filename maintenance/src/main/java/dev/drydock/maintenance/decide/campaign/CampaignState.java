package dev.drydock.maintenance.decide.campaign;

import dev.drydock.contracts.v1alpha1.MaintenanceCampaignSpec;
import dev.drydock.contracts.v1alpha1.MaintenanceClassSpec;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * One campaign as it is stored.
 *
 * @param maintenanceClass absent if there is no class of that name
 * @param progress by node, all that the campaign's maintenances tell, whether or not the node still
 *     fits the selector
 */
public record CampaignState(
    String name,
    Instant created,
    MaintenanceCampaignSpec spec,
    Optional<MaintenanceClassSpec> maintenanceClass,
    Optional<String> approvedBy,
    Map<String, NodeProgress> progress) {
  public CampaignState {
    progress = Map.copyOf(progress);
  }

  CampaignState with(Map<String, NodeProgress> newer) {
    return new CampaignState(name, created, spec, maintenanceClass, approvedBy, newer);
  }
}
