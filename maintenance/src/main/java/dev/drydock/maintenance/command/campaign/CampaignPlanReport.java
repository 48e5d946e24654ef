package dev.drydock.maintenance.command.campaign;

import dev.drydock.maintenance.decide.campaign.CampaignPlan;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A plan for programs. Its field names are part of the interface. */
record CampaignPlanReport(
    List<CampaignPlan.Step> steps,
    List<CampaignPlan.Moment> use,
    List<Stuck> stuck,
    List<String> assumptions,
    @Nullable Instant end) {

  /** Why nodes are left over. */
  record Stuck(String reason, String message) {}

  static CampaignPlanReport of(CampaignPlan plan) {
    return new CampaignPlanReport(
        plan.steps(),
        plan.use(),
        plan.stuck().stream().map(wait -> new Stuck(wait.reason().word(), wait.message())).toList(),
        plan.assumptions(),
        plan.end().orElse(null));
  }
}
