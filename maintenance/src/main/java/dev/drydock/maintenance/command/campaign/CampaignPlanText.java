package dev.drydock.maintenance.command.campaign;

import dev.drydock.cli.Table;
import dev.drydock.cli.TextLines;
import dev.drydock.contracts.Ages;
import dev.drydock.maintenance.decide.campaign.CampaignPlan;
import dev.drydock.maintenance.decide.campaign.CampaignPlan.Moment;
import dev.drydock.maintenance.decide.campaign.CampaignPlan.Step;
import dev.drydock.maintenance.decide.campaign.DepartureWait;
import dev.drydock.maintenance.decide.campaign.DomainUse;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A plan for people: the nodes in order, the budgets over time, and the assumptions. */
final class CampaignPlanText {
  /** The maximum number of rows; the JSON output has all of them. */
  private static final int ROWS = 200;

  private CampaignPlanText() {}

  /**
   * The lines of the plan.
   *
   * @param width of the terminal; 0 if nothing is wrapped or cut
   */
  static List<String> lines(CampaignPlan plan, Instant now, int width) {
    List<String> lines = new ArrayList<>();
    if (!plan.steps().isEmpty()) {
      lines.addAll(steps(plan, now, width));
      lines.add("");
    }
    if (plan.use().stream().anyMatch(moment -> !moment.tightest().isEmpty())) {
      lines.addAll(uses(plan, now, width));
      lines.add("");
    }
    for (DepartureWait stuck : plan.stuck()) {
      lines.addAll(broken("stuck: " + stuck.message(), width));
    }
    lines.addAll(broken(summary(plan, now), width));
    for (String assumption : plan.assumptions()) {
      lines.addAll(broken("if " + assumption, width));
    }
    return lines;
  }

  private static List<String> steps(CampaignPlan plan, Instant now, int width) {
    Table table = new Table("#", "NODE", "LEAVES", "EMPTY AFTER", "BACK AFTER", "BACK");
    int number = 0;
    for (Step step : plan.steps().stream().limit(ROWS).toList()) {
      number++;
      table.row(
          number,
          step.node(),
          in(step.leaves(), now),
          Ages.between(step.leaves(), step.empty()),
          Ages.between(step.leaves(), step.back()),
          step.back().truncatedTo(ChronoUnit.SECONDS));
    }
    List<String> lines = new ArrayList<>(table.lines(width));
    if (plan.steps().size() > ROWS) {
      lines.add("… and " + (plan.steps().size() - ROWS) + " more; all of them: -o json");
    }
    return lines;
  }

  private static List<String> uses(CampaignPlan plan, Instant now, int width) {
    Table table = new Table("WHEN", "OUT", "BUDGET THAT IS TIGHTEST ON EACH LEVEL");
    for (Moment moment : plan.use().stream().limit(ROWS).toList()) {
      table.row(
          in(moment.at(), now),
          moment.out(),
          moment.tightest().stream().map(CampaignPlanText::use).collect(Collectors.joining(", ")));
    }
    return table.lines(width);
  }

  private static String use(DomainUse use) {
    return "%s %d of %d".formatted(use.domain(), use.out(), use.allowed());
  }

  private static String in(Instant time, Instant now) {
    return time.isAfter(now) ? "in " + Ages.between(now, time) : "now";
  }

  private static String summary(CampaignPlan plan, Instant now) {
    int nodes = plan.steps().size();
    String count = nodes == 1 ? "1 node" : nodes + " nodes";
    return plan.end()
        .map(
            end ->
                "%s, all back in %s, at %s"
                    .formatted(count, Ages.between(now, end), end.truncatedTo(ChronoUnit.SECONDS)))
        .orElse(
            nodes == 0 ? "no node leaves" : count + "; it cannot be estimated when all are back");
  }

  private static List<String> broken(String text, int width) {
    return width == 0 ? List.of(text) : TextLines.wrap(text, "", width);
  }
}
