package dev.drydock.maintenance.campaign;

import dev.drydock.contracts.v1alpha1.CampaignPhase;
import dev.drydock.contracts.v1alpha1.MaintenanceCampaignStatus.Counts;
import dev.drydock.maintenance.decide.campaign.CampaignDecision;
import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.DomainUse;
import java.util.List;

/**
 * The state of a campaign, for metrics.
 *
 * @param tightest of each level of its budgets the domain with the least room
 */
public record CampaignSample(
    String name, CampaignPhase phase, Counts counts, List<DomainUse> tightest) {
  static CampaignSample of(CampaignDecision decision, CampaignFacts facts) {
    return new CampaignSample(
        decision.campaign(),
        decision.phase(),
        decision.counts(),
        facts.tightest(decision.campaign()));
  }
}
