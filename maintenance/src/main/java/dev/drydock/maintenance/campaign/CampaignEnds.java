package dev.drydock.maintenance.campaign;

import dev.drydock.maintenance.decide.campaign.CampaignFacts;
import dev.drydock.maintenance.decide.campaign.CampaignPlan;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When campaigns will have ended, for their status. One forecast serves all campaigns; it is made
 * again only if what it depends on has changed, and seldom enough that it takes a small part of the
 * time: with many campaigns it costs much more than a decision.
 */
final class CampaignEnds {
  /** A look at a node takes about a tenth of this, as nodes are sorted. */
  private static final Duration PAUSE_PER_LOOK = Duration.of(50, ChronoUnit.MICROS);

  private @Nullable Inputs inputs;
  private CampaignPlan.Ends ends = CampaignPlan.Ends.UNKNOWN;
  private Instant pauseEnds = Instant.MIN;
  private Optional<Instant> due = Optional.empty();

  /**
   * All that a forecast depends on, besides time.
   *
   * @param work of the campaigns that move: how long a node takes once it is empty
   */
  private record Inputs(CampaignFacts facts, Map<String, Duration> work) {}

  void update(CampaignFacts facts, Map<String, Duration> work, Instant now) {
    Inputs newer = new Inputs(facts, work);
    due = Optional.empty();
    boolean passed = ends.byCampaign().values().stream().anyMatch(end -> !end.isAfter(now));
    if (newer.equals(inputs) && !passed) {
      return;
    }
    if (now.isBefore(pauseEnds)) {
      due = Optional.of(pauseEnds);
      return;
    }
    ends = CampaignPlan.ends(facts, work, now);
    inputs = newer;
    pauseEnds = now.plus(PAUSE_PER_LOOK.multipliedBy(ends.looks()));
  }

  Optional<Instant> of(String campaign) {
    return Optional.ofNullable(ends.byCampaign().get(campaign));
  }

  /** When to ask for the forecast again that was put off. */
  Optional<Instant> due() {
    return due;
  }
}
