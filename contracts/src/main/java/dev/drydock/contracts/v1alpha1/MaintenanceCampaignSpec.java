package dev.drydock.contracts.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which nodes, how, when, how many at once and in which order. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value = "has(self.maintenanceID) == has(oldSelf.maintenanceID)",
    message = "spec.maintenanceID cannot be added or removed; create another campaign",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "has(self.namespace) == has(oldSelf.namespace)",
    message = "spec.namespace cannot be added or removed; create another campaign",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "!(has(oldSelf.stopped) && oldSelf.stopped) || (has(self.stopped) && self.stopped)",
    message = "spec.stopped cannot be taken back; create another campaign",
    reason = "FieldValueForbidden")
public record MaintenanceCampaignSpec(
    @Required
        @JsonPropertyDescription(
            "The nodes; evaluated again whenever labels change. Empty: all nodes.")
        NodeSelector nodeSelector,
    @Required
        @JsonPropertyDescription("The MaintenanceClass of every maintenance. It must exist.")
        @Size(min = 1, max = 253)
        @ValidationRule(
            value = "self == oldSelf",
            message = "spec.maintenanceClass cannot be changed; create another campaign",
            reason = "FieldValueForbidden")
        String maintenanceClass,
    @JsonPropertyDescription("The ID of every maintenance; absent: the campaign's name.")
        @Size(min = 1, max = 63)
        @Pattern("^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$")
        @ValidationRule(
            value = "self == oldSelf",
            message = "spec.maintenanceID cannot be changed; create another campaign",
            reason = "FieldValueForbidden")
        @Nullable String maintenanceID,
    @JsonPropertyDescription("Where NotifyMaintenances are created; absent: drydock-maintenance.")
        @Size(min = 1, max = 63)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @ValidationRule(
            value = "self == oldSelf",
            message = "spec.namespace cannot be changed; create another campaign",
            reason = "FieldValueForbidden")
        @Nullable String namespace,
    @JsonPropertyDescription(
            "A node leaves only if every budget allows it, including those of the class. Absent in"
                + " both: one node at a time.")
        @Size(max = 16)
        @ValidationRule(
            value = CelRuleTexts.ONE_LEVEL_PER_KEY,
            message = "spec.budgets must name each key only once, and all nodes only once")
        @Nullable List<DomainBudget> budgets,
    @JsonPropertyDescription("When nodes may leave; absent: at any time.") @Size(max = 32)
        @Nullable List<Window> windows,
    @JsonPropertyDescription("When no node may leave, whatever the windows say.") @Size(max = 64)
        @Nullable List<Exclusion> exclusions,
    @JsonPropertyDescription("Whether a person has to approve the campaign.")
        @Nullable Approval approval,
    @JsonPropertyDescription("A few nodes go first and are observed for a while.")
        @Nullable Canary canary,
    @JsonPropertyDescription(
            "Nodes leave in batches, each after the previous one has ended; absent: as budgets allow.")
        @Nullable Batches batches,
    @JsonPropertyDescription(
            "At this many failed nodes no further node leaves; absent: 1. A node counts until its"
                + " failed maintenance is deleted.")
        @Min(1)
        @Max(Limits.MOST_NODES)
        @Nullable Integer stopOnFailures,
    @JsonPropertyDescription("No further node leaves; maintenances that have started continue.")
        @Nullable Boolean paused,
    @JsonPropertyDescription(
            "Ends the campaign permanently; maintenances that have started continue.")
        @Nullable Boolean stopped,
    @JsonPropertyDescription("Why the campaign was stopped, for people; shown in its status.")
        @Size(min = 1, max = 1024)
        @Nullable String stopReason,
    @JsonPropertyDescription(
            "Of campaigns that share nodes or budgets, the one with the higher priority goes first; absent: 0.")
        @Min(-1_000_000)
        @Max(1_000_000)
        @Nullable Integer priority,
    @JsonPropertyDescription("The order of nodes; absent: soonest.") @Nullable CampaignOrder order,
    @JsonPropertyDescription(
            "With order soonest, a node that would take longer than this to drain stays in"
                + " service for now; every hour of waiting adds 15 minutes. Absent: 30m.")
        @Size(min = 1, max = 32)
        @ValidationRule(
            value = Limits.DURATION_RULE,
            message =
                "spec.patience must be a time of more than 0 and at most 876000h like 30m or 2h")
        @Nullable String patience) {

  /** A label selector: all requirements must match. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record NodeSelector(
      @JsonPropertyDescription("Labels with exactly these values.")
          @Nullable Map<String, String> matchLabels,
      @Size(max = 32) @Nullable List<Requirement> matchExpressions) {}

  /** A requirement on one label. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  @ValidationRule(
      value =
          "self.operator in ['In', 'NotIn'] ? has(self.values) && self.values.size() > 0"
              + " : !has(self.values) || self.values.size() == 0",
      message =
          "spec.nodeSelector.matchExpressions: In and NotIn need values, Exists and DoesNotExist"
              + " take none")
  public record Requirement(
      @Required @Size(min = 1, max = 317) String key,
      @Required
          @JsonPropertyDescription("In, NotIn, Exists or DoesNotExist.")
          @Size(max = 16)
          @ValidationRule(
              value = "self in ['In', 'NotIn', 'Exists', 'DoesNotExist']",
              message =
                  "spec.nodeSelector.matchExpressions.operator must be In, NotIn, Exists or"
                      + " DoesNotExist")
          String operator,
      @Size(max = 1000) @Nullable List<String> values) {}

  /** When nodes may leave. Maintenances that have started continue when the window closes. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Window(
      @Required
          @JsonPropertyDescription(
              "When it opens: minute, hour, day of month, month, day of week, as in cron; or"
                  + " @daily and the like.")
          @Size(min = 1, max = 256)
          @ValidationRule(
              value = CelRuleTexts.CRON,
              message = "spec.windows.schedule" + CelRuleTexts.CRON_MESSAGE)
          String schedule,
      @Required
          @JsonPropertyDescription("How long it stays open, e.g. 4h or 1h30m of elapsed time.")
          @Size(min = 1, max = 32)
          @ValidationRule(
              value = Limits.DURATION_RULE,
              message =
                  "spec.windows.duration must be a time of more than 0 and at most 876000h like 4h or 1h30m")
          String duration,
      @JsonPropertyDescription("The schedule's time zone, e.g. Europe/Berlin; absent: UTC.")
          @Size(min = 1, max = 64)
          @Nullable String timeZone) {}

  /** When no node may leave: once (from, to), or repeatedly (schedule, duration). */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @ValidationRule(
      value =
          "has(self.from) && has(self.to) && !has(self.schedule) && !has(self.duration)"
              + " && !has(self.timeZone)"
              + " || !has(self.from) && !has(self.to) && has(self.schedule) && has(self.duration)",
      message =
          "spec.exclusions must have either from and to, or schedule and duration (and timeZone)")
  @ValidationRule(
      value =
          "!has(self.from) || !has(self.to) || self.from.matches("
              + CelRuleTexts.INSTANT
              + ") && self.to.matches("
              + CelRuleTexts.INSTANT
              + ") && timestamp(self.from) < timestamp(self.to)",
      message =
          "spec.exclusions.from must lie before spec.exclusions.to, both written like"
              + " 2026-12-24T00:00:00Z")
  public record Exclusion(
      @JsonPropertyDescription("The start, e.g. 2026-12-24T00:00:00Z.") @Size(min = 1, max = 40)
          @Nullable String from,
      @JsonPropertyDescription("The end.") @Size(min = 1, max = 40) @Nullable String to,
      @JsonPropertyDescription("When it starts, as in spec.windows.")
          @Size(min = 1, max = 256)
          @ValidationRule(
              value = CelRuleTexts.CRON,
              message = "spec.exclusions.schedule" + CelRuleTexts.CRON_MESSAGE)
          @Nullable String schedule,
      @JsonPropertyDescription("How long it lasts, e.g. 4h.")
          @Size(min = 1, max = 32)
          @ValidationRule(
              value = Limits.DURATION_RULE,
              message =
                  "spec.exclusions.duration must be a time of more than 0 and at most 876000h like 4h or 1h30m")
          @Nullable String duration,
      @JsonPropertyDescription("The schedule's time zone; absent: UTC.") @Size(min = 1, max = 64)
          @Nullable String timeZone) {}

  /** Whether a person has to approve the campaign. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Approval(
      @JsonPropertyDescription(
              "No node leaves until the annotation drydock.dev/approved-by names who approved.")
          @Nullable Boolean required) {}

  /** The nodes that go first. If one of them fails, the campaign halts. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @ValidationRule(
      value = "has(self.nodes) != has(self.percent)",
      message = "spec.canary must have exactly one of nodes, percent")
  public record Canary(
      @JsonPropertyDescription("The number of nodes.") @Min(1) @Max(Limits.MOST_NODES)
          @Nullable Integer nodes,
      @JsonPropertyDescription("The percentage of nodes, rounded up.") @Min(1) @Max(100)
          @Nullable Integer percent,
      @JsonPropertyDescription(
              "How long to wait after the last of them has returned before other nodes leave.")
          @Min(0)
          @Max(Limits.MOST_SECONDS)
          @Nullable Integer soakSeconds) {}

  /** How the batches grow. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @ValidationRule(
      value = "!has(self.max) || !has(self.start) || self.max >= self.start",
      message = "spec.batches.max must be at least spec.batches.start")
  public record Batches(
      @JsonPropertyDescription("Nodes in the first batch; absent: 1.")
          @Min(1)
          @Max(Limits.MOST_NODES)
          @Nullable Integer start,
      @JsonPropertyDescription("The growth factor from one batch to the next; absent: 2.")
          @Min(1)
          @Max(100)
          @Nullable Double growth,
      @JsonPropertyDescription("The largest batch; absent: unlimited.")
          @Min(1)
          @Max(Limits.MOST_NODES)
          @Nullable Integer max) {}
}
