package dev.drydock.maintenance.decide.campaign;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that campaigns decide by, as seen at one moment.
 *
 * @param campaigns all of them, for they share the fleet
 * @param loads by node; a node without an entry is taken for empty
 * @param budgets the operator's own, which hold for every campaign
 * @param andonCord why everything is to stand still, if somebody pulled the cord
 */
public record CampaignFacts(
    Fleet fleet,
    List<CampaignState> campaigns,
    Map<String, NodeLoad> loads,
    RunHistory history,
    List<BudgetLevel> budgets,
    Optional<String> andonCord) {
  public CampaignFacts {
    campaigns = List.copyOf(campaigns);
    loads = Map.copyOf(loads);
    budgets = List.copyOf(budgets);
  }

  CampaignFacts with(Fleet newFleet, List<CampaignState> newCampaigns) {
    return new CampaignFacts(newFleet, newCampaigns, loads, history, budgets, andonCord);
  }
}
