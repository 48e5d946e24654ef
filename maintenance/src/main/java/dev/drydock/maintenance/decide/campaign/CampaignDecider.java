package dev.drydock.maintenance.decide.campaign;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Decides which nodes leave now. Campaigns take turns, higher priority first and then the older
 * one, and each sees what the previous ones have just taken; so they can share nodes and budgets.
 */
public final class CampaignDecider {
  private static final Comparator<CampaignState> TURNS =
      Comparator.comparingInt(CampaignDecider::priority)
          .reversed()
          .thenComparing(CampaignState::created)
          .thenComparing(CampaignState::name);

  private CampaignDecider() {}

  /** One decision per campaign, in the order of their turns. */
  public static List<CampaignDecision> decide(CampaignFacts facts, Instant now) {
    return decide(facts, now, Set.of(), CampaignDecider::rules);
  }

  /**
   * As above.
   *
   * @param freed campaigns that count as approved and resumed, with the andon cord released
   * @param rules of a campaign, which whoever decides again and again need not parse each time
   */
  static List<CampaignDecision> decide(
      CampaignFacts facts,
      Instant now,
      Set<String> freed,
      Function<CampaignState, CampaignRules.Reading> rules) {
    List<CampaignDecision> decisions = new ArrayList<>();
    FleetNodes fleet = facts.fleet();
    for (CampaignState campaign : turns(facts)) {
      CampaignDecision decision =
          new CampaignTurn(facts.with(fleet), campaign, rules.apply(campaign), now)
              .decide(freed.contains(campaign.name()));
      decisions.add(decision);
      fleet = fleet.with(decision.departures(now));
    }
    return decisions;
  }

  static CampaignRules.Reading rules(CampaignState campaign) {
    return CampaignRules.read(campaign.spec(), campaign.maintenanceClass());
  }

  /** All campaigns in the order in which they decide. */
  public static List<CampaignState> turns(CampaignFacts facts) {
    return facts.campaigns().stream().sorted(TURNS).toList();
  }

  /**
   * One campaign's turn.
   *
   * @param facts with what those before it have just taken
   */
  public static CampaignDecision decide(CampaignFacts facts, CampaignState campaign, Instant now) {
    return new CampaignTurn(facts, campaign, rules(campaign), now).decide(false);
  }

  private static int priority(CampaignState campaign) {
    Integer priority = campaign.spec().priority();
    return priority == null ? 0 : priority;
  }
}
