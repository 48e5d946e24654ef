package dev.drydock.contracts.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
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

/** The three steps of a maintenance and how long they may take. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record MaintenanceClassSpec(
    @Required @JsonPropertyDescription("How the node is emptied.") Drain drain,
    @Required @JsonPropertyDescription("How the work is done.") Work maintenance,
    @Required @JsonPropertyDescription("How the node is proved fit.") Validation validation,
    @JsonPropertyDescription(
            "How long the drain may be gentle, e.g. 5h or 1h30m. Absent: as the operator's"
                + " configuration has it.")
        @Size(min = 1, max = 32)
        @ValidationRule(
            value = CelRuleTexts.DURATION,
            message = "spec.slaPeriod must be a time of more than 0 like 5h or 1h30m")
        @Nullable String slaPeriod,
    @JsonPropertyDescription(
            "After this long from its start a maintenance that is not over is MaintenanceIncomplete."
                + " Absent: it may take for ever.")
        @Min(1)
        @Nullable Integer deadlineSeconds,
    @JsonPropertyDescription(
            "Hold for every campaign of this class, besides the campaign's own budgets.")
        @Size(max = 16)
        @ValidationRule(
            value = CelRuleTexts.ONE_LEVEL_PER_KEY,
            message = "spec.budgets must name each key only once, and all nodes only once")
        @Nullable List<DomainBudget> budgets) {

  /** Who empties the node: exactly one of these. */
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
      @JsonPropertyDescription("A DrainRequest that some controller serves.")
          @Nullable DrainByRequest drainRequest,
      @JsonPropertyDescription("A custom resource that some controller serves.")
          @Nullable DrainByTemplate template,
      @JsonPropertyDescription("A LifecycleEvent that a driver on the node serves.")
          @Nullable DrainByEvent lifecycleEvent,
      @JsonPropertyDescription(
              "Somebody else, who sets the annotation maintenance/readyForMaintenance.")
          @Nullable Outside outside) {}

  /** Drydock's own engine. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Builtin(
      @JsonPropertyDescription("What it may do; absent for the operator's default.")
          DrainRequestSpec.@Nullable Policy policy) {}

  /** A DrainRequest in the maintenance's namespace. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record DrainByRequest(
      @JsonPropertyDescription("spec.drainer of the request; absent for whoever claims it.")
          @Size(min = 1, max = 253)
          @Nullable String drainer,
      @JsonPropertyDescription("spec.policy of the request.")
          DrainRequestSpec.@Nullable Policy policy) {}

  /**
   * A custom resource per maintenance. In every text of {@code labels} and {@code spec}, <code>
   * ${node}</code>, <code>${id}</code>, <code>${name}</code> and <code>${namespace}</code> stand
   * for the node, the maintenance's ID, and the NotifyMaintenance's name and namespace.
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
              "Where a namespaced resource is created; absent: beside the NotifyMaintenance.")
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
              "The LifecycleTransition to ask for, e.g. drain.slm.k8s.io. Its driver must empty the"
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
              "Somebody else, who sets the annotation maintenance/maintenanceClient.")
          @Nullable Outside outside) {}

  /** A Job that runs on the node although it is cordoned. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record JobStep(
      @Required
          @JsonPropertyDescription(
              "Metadata and spec of the Job, as in a CronJob's jobTemplate. Node and tolerations"
                  + " are added.")
          @PreserveUnknownFields
          Map<String, Object> template) {}

  /** Who proves the node fit: exactly one of job, outside and none. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  @ValidationRule(
      value = "[has(self.job), has(self.outside), has(self.none)].filter(set, set).size() == 1",
      message = "spec.validation must have exactly one of job, outside, none")
  @ValidationRule(
      value = "has(self.job) || !(has(self.soakSeconds) || has(self.retries))",
      message = "spec.validation.soakSeconds and spec.validation.retries need spec.validation.job")
  public record Validation(
      @JsonPropertyDescription("A Job that runs on the node and succeeds if it is fit.")
          @Nullable JobStep job,
      @JsonPropertyDescription(
              "How long the node must stay ready after the Job succeeded, before it returns.")
          @Min(0)
          @Nullable Integer soakSeconds,
      @JsonPropertyDescription("How often a failed Job is tried again; absent: never.")
          @Min(0)
          @Max(100)
          @Nullable Integer retries,
      @JsonPropertyDescription(
              "Somebody else, who sets the annotation maintenance/validationClient.")
          @Nullable Outside outside,
      @JsonPropertyDescription("Nobody: the node returns once the work is done.")
          @Nullable Outside none) {}

  /** Has nothing to say: that it is there is what counts. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Outside() {}
}
