package dev.drydock.maintenance.decide.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The predicted course of a campaign: the decisions simulated forward in time, each node taking as
 * long as estimated. It changes nothing.
 *
 * @param steps in the order in which nodes leave; those that are out already first
 * @param use the budgets, whenever a node leaves or returns
 * @param stuck why nodes are left over, if some are
 * @param assumptions for people
 * @param end when the last node is back; absent if some are left over
 */
public record CampaignPlan(
    List<Step> steps,
    List<Moment> use,
    List<DepartureWait> stuck,
    List<String> assumptions,
    Optional<Instant> end) {
  public CampaignPlan {
    steps = List.copyOf(steps);
    use = List.copyOf(use);
    stuck = List.copyOf(stuck);
    assumptions = List.copyOf(assumptions);
  }

  /** One node: when it leaves, is empty and is back. */
  public record Step(String node, Instant leaves, Instant empty, Instant back) {}

  /** For each level the domain with the least room, and how many nodes of the campaign are out. */
  public record Moment(Instant at, int out, List<DomainUse> tightest) {}

  /**
   * Plans one campaign together with all others.
   *
   * @param work how long maintenance and validation of an empty node take
   * @throws IllegalArgumentException if the campaign does not exist
   */
  public static CampaignPlan of(CampaignFacts facts, String campaign, Duration work, Instant now) {
    return new Forecast(facts, campaign, work, now).run(now);
  }
}
