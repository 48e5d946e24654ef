package dev.drydock.maintenance.decide.campaign;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that campaigns decide by, at one moment.
 *
 * @param campaigns all of them, because they share the fleet
 * @param loads by node; a node without an entry counts as empty
 * @param budgets the operator's own, which apply to every campaign
 * @param andonCord why everything is stopped, if the cord is pulled
 */
public record CampaignFacts(
    FleetNodes fleet,
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

  /** Without the other campaigns. */
  public CampaignFacts only(Set<String> names) {
    return with(fleet, campaigns.stream().filter(each -> names.contains(each.name())).toList());
  }

  public CampaignFacts with(FleetNodes newFleet) {
    return with(newFleet, campaigns);
  }

  /** The progress of the nodes that a campaign has taken. */
  public Map<String, NodeProgress> progress(String campaign) {
    return campaigns.stream()
        .filter(each -> each.name().equals(campaign))
        .findFirst()
        .map(this::progress)
        .orElseGet(HashMap::new);
  }

  /** The progress of a campaign; entries of an earlier one of that name are not its own. */
  Map<String, NodeProgress> progress(CampaignState campaign) {
    Map<String, NodeProgress> progress = new HashMap<>();
    fleet.departures().values().stream()
        .filter(departure -> departure.uid().equals(campaign.uid()))
        .forEach(
            departure ->
                progress.put(departure.node(), NodeProgress.inFlight(departure.grantedAt())));
    progress.putAll(campaign.progress());
    return progress;
  }

  /** For each level of a campaign's budgets, the domain with the least room. */
  public List<DomainUse> tightest(String campaign) {
    List<BudgetLevel> levels = new ArrayList<>(budgets);
    campaigns.stream()
        .filter(each -> each.name().equals(campaign))
        .flatMap(each -> CampaignRules.read(each.spec(), each.maintenanceClass()).rules().stream())
        .forEach(rules -> levels.addAll(rules.budgets()));
    return new DomainBudgets(levels).tightest(fleet);
  }

  CampaignFacts with(FleetNodes newFleet, List<CampaignState> newCampaigns) {
    return new CampaignFacts(newFleet, newCampaigns, loads, history, budgets, andonCord);
  }
}
