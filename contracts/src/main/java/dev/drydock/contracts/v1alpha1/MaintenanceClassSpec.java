package dev.drydock.contracts.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import dev.drydock.contracts.nvsentinel.DrainRequestSpec;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The three steps of a maintenance and their time limits. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MaintenanceClassSpec(
    @Required @JsonPropertyDescription("How the node is drained.") Drain drain,
    @Required @JsonPropertyDescription("How the work is done.") Work maintenance,
    @Required @JsonPropertyDescription("How the node is validated.") Validation validation,
    @JsonPropertyDescription(
            "How long pods may take to leave before they are removed by force, e.g. 5h. Absent: the operator's"
                + " configured value.")
        @Size(min = 1, max = 32)
        @ValidationRule(
            value = Limits.DURATION_RULE,
            message =
                "spec.slaPeriod must be a time of more than 0 and at most 876000h like 5h or 1h30m")
        @Nullable String slaPeriod,
    @JsonPropertyDescription(
            "A maintenance that has not ended this long after its start becomes MaintenanceIncomplete."
                + " Absent: no limit.")
        @Min(1)
        @Max(Limits.MOST_SECONDS)
        @Nullable Integer deadlineSeconds,
    @JsonPropertyDescription(
            "Budgets for every campaign of this class, in addition to the campaign's own.")
        @Size(max = 16)
        @ValidationRule(
            value = CelRuleTexts.ONE_LEVEL_PER_KEY,
            message = "spec.budgets must name each key only once, and all nodes only once")
        @Nullable List<DomainBudget> budgets) {

  /** Who drains the node: exactly one of these. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @ValidationRule(
      value =
          "[has(self.builtin), has(self.drainRequest), has(self.template),"
              + " has(self.lifecycleEvent), has(self.outside)].filter(set, set).size() == 1",
      message =
          "spec.drain must have exactly one of builtin, drainRequest, template, lifecycleEvent,"
              + " outside")
  public record Drain(
      @JsonPropertyDescription("Drydock's own engine.") @Nullable Builtin builtin,
      @JsonPropertyDescription("A DrainRequest, served by a controller.")
          @Nullable DrainByRequest drainRequest,
      @JsonPropertyDescription("A custom resource, served by a controller.")
          @Nullable DrainByTemplate template,
      @JsonPropertyDescription("A LifecycleEvent, served by a driver on the node.")
          @Nullable DrainByEvent lifecycleEvent,
      @JsonPropertyDescription(
              "Another client, which sets the annotation maintenance/readyForMaintenance.")
          @Nullable Outside outside) {}

  /** Drydock's own engine. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Builtin(
      @JsonPropertyDescription("What the engine may do. Absent: the operator's default.")
          DrainRequestSpec.@Nullable Policy policy) {}

  /** A DrainRequest in the maintenance's namespace. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DrainByRequest(
      @JsonPropertyDescription("spec.drainer of the request. Absent: any drainer that claims it.")
          @Size(min = 1, max = 253)
          @Nullable String drainer,
      @JsonPropertyDescription("spec.policy of the request.")
          DrainRequestSpec.@Nullable Policy policy) {}

  /**
   * A custom resource per maintenance. In the texts of {@code labels} and {@code spec}, <code>
   * ${node}</code>, <code>${id}</code>, <code>${name}</code> and <code>${namespace}</code> are
   * replaced by the node, the maintenance's ID, and the NotifyMaintenance's name and namespace.
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DrainByTemplate(
      @Required
          @JsonPropertyDescription("Group and version, e.g. example.com/v1.")
          @Size(min = 1, max = 317)
          String apiVersion,
      @Required @JsonPropertyDescription("The kind of the resource.") @Size(min = 1, max = 63)
          String kind,
      @JsonPropertyDescription(
              "The namespace of a namespaced resource; absent: that of the NotifyMaintenance.")
          @Size(min = 1, max = 63)
          @Nullable String namespace,
      @JsonPropertyDescription(
              "Labels of the resource. ${node}, ${id}, ${name} and ${namespace} are filled in.")
          @Nullable Map<String, String> labels,
      @Required
          @JsonPropertyDescription(
              "The resource's spec. ${node}, ${id}, ${name} and ${namespace} are filled in.")
          @PreserveUnknownFields
          Map<String, Object> spec,
      @Required
          @JsonPropertyDescription(
              "The node is empty when the resource has this condition with status True.")
          @Size(min = 1, max = 316)
          String completionCondition) {}

  /** A LifecycleEvent of {@code lifecycle.k8s.io/v1alpha1} for the node. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DrainByEvent(
      @Required
          @JsonPropertyDescription(
              "The LifecycleTransition to request, e.g. drain.slm.k8s.io. Its driver must drain the"
                  + " node.")
          @Size(min = 1, max = 253)
          String transitionName) {}

  /** Who does the work: exactly one of these. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @ValidationRule(
      value = "has(self.job) != has(self.outside)",
      message = "spec.maintenance must have exactly one of job, outside")
  public record Work(
      @JsonPropertyDescription("A Job that runs on the node.") @Nullable JobStep job,
      @JsonPropertyDescription(
              "Another client, which sets the annotation maintenance/maintenanceClient.")
          @Nullable Outside outside) {}

  /** A Job that runs on the node although the node is cordoned. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record JobStep(
      @Required
          @JsonPropertyDescription(
              "Metadata and spec of the Job, as in a CronJob's jobTemplate. Node name and tolerations"
                  + " are added; ttlSecondsAfterFinished is left out, because a Job stays until its"
                  + " maintenance is gone.")
          @PreserveUnknownFields
          Map<String, Object> template) {}

  /** Who validates the node: exactly one of job, outside and none. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @ValidationRule(
      value = "[has(self.job), has(self.outside), has(self.none)].filter(set, set).size() == 1",
      message = "spec.validation must have exactly one of job, outside, none")
  @ValidationRule(
      value = "has(self.job) || !(has(self.soakSeconds) || has(self.retries))",
      message = "spec.validation.soakSeconds and spec.validation.retries need spec.validation.job")
  public record Validation(
      @JsonPropertyDescription(
              "A Job that runs on the node and succeeds if the node is fit for production.")
          @Nullable JobStep job,
      @JsonPropertyDescription(
              "How long the node must stay ready after the Job succeeded before it returns to service.")
          @Min(0)
          @Max(Limits.MOST_SECONDS)
          @Nullable Integer soakSeconds,
      @JsonPropertyDescription("How often a failed Job is retried; absent: never.")
          @Min(0)
          @Max(100)
          @Nullable Integer retries,
      @JsonPropertyDescription(
              "Another client, which sets the annotation maintenance/validationClient.")
          @Nullable Outside outside,
      @JsonPropertyDescription(
              "No validation: the node returns to service when the maintenance is done.")
          @Nullable Outside none) {}

  /** An empty object; its presence selects the option. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Outside() {}
}
