package dev.drydock.maintenance.decide.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * How a campaign would go from now on: the decisions made forward in time, each node taking as long
 * as estimated. It touches nothing.
 *
 * @param steps in the order in which nodes leave; those that are out already first
 * @param use the budgets, whenever a node leaves or comes back
 * @param stuck why nodes are left over, if some are
 * @param assumptions what has to be true for it, for people
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

  /**
   * The domain of each level that has the least room, and how many nodes of the campaign are out.
   */
  public record Moment(Instant at, int out, List<DomainUse> tightest) {}

  /**
   * Plans one campaign beside all others.
   *
   * @param work how long an empty node is worked on and tested
   * @throws IllegalArgumentException if there is no such campaign
   */
  public static CampaignPlan of(CampaignFacts facts, String campaign, Duration work, Instant now) {
    return new Forecast(facts, campaign, work, now).run(now);
  }
}
