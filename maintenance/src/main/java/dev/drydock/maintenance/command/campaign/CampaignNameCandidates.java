package dev.drydock.maintenance.command.campaign;

import dev.drydock.cli.ClusterScopedNames;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;

/** Completes names of MaintenanceCampaigns. */
public final class CampaignNameCandidates extends ClusterScopedNames {
  public CampaignNameCandidates() {
    super(MaintenanceCampaign.GROUP, MaintenanceCampaign.VERSION, MaintenanceCampaign.PLURAL);
  }
}
