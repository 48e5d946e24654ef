package dev.drydock.maintenance.decide.campaign;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
    if (facts.campaigns().stream().noneMatch(known -> known.name().equals(campaign))) {
      throw new IllegalArgumentException("there is no campaign named \"" + campaign + "\"");
    }
    return new Forecast(facts, Map.of(campaign, work), Long.MAX_VALUE, now).plan(campaign, now);
  }

  /**
   * When each of several campaigns ends, in one forecast for all of them.
   *
   * @param byCampaign without those that leave nodes over or take too long to forecast
   * @param looks how often it looked at a node, which is what it cost
   */
  public record Ends(Map<String, Instant> byCampaign, long looks) {
    public static final Ends UNKNOWN = new Ends(Map.of(), 0);

    public Ends {
      byCampaign = Map.copyOf(byCampaign);
    }
  }

  /**
   * Plans several campaigns together with all others.
   *
   * @param work of each of them: how long maintenance and validation of an empty node take
   */
  public static Ends ends(CampaignFacts facts, Map<String, Duration> work, Instant now) {
    return work.isEmpty()
        ? Ends.UNKNOWN
        : new Forecast(facts, work, Forecast.MOST_LOOKS, now).ends(now);
  }
}
