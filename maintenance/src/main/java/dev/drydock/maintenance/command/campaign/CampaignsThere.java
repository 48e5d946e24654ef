package dev.drydock.maintenance.command.campaign;

import dev.drydock.cli.ClusterNames;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaign;

/** Names of MaintenanceCampaigns. */
public final class CampaignsThere extends ClusterNames {
  public CampaignsThere() {
    super(MaintenanceCampaign.GROUP, MaintenanceCampaign.VERSION, MaintenanceCampaign.PLURAL);
  }
}
