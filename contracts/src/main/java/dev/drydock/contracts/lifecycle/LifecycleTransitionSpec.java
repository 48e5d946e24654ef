package dev.drydock.contracts.lifecycle;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which nodes the transition is for, and which driver carries it out. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
@ValidationRule(
    value = "[has(self.nodeName), has(self.nodeSelector), has(self.allNodes)].exists_one(x, x)",
    message = "spec must have exactly one of nodeName, nodeSelector and allNodes")
@ValidationRule(
    value =
        "has(self.nodeName) == has(oldSelf.nodeName)"
            + " && (!has(self.nodeName) || self.nodeName == oldSelf.nodeName)",
    message = "spec.nodeName cannot be changed; create another LifecycleTransition",
    reason = "FieldValueForbidden")
@ValidationRule(
    value =
        "has(self.nodeSelector) == has(oldSelf.nodeSelector)"
            + " && (!has(self.nodeSelector) || self.nodeSelector == oldSelf.nodeSelector)",
    message = "spec.nodeSelector cannot be changed; create another LifecycleTransition",
    reason = "FieldValueForbidden")
@ValidationRule(
    value = "has(self.allNodes) == has(oldSelf.allNodes)",
    message = "spec.allNodes cannot be changed; create another LifecycleTransition",
    reason = "FieldValueForbidden")
public record LifecycleTransitionSpec(
    @Required
        @JsonPropertyDescription(
            "The reason of the Node's condition while the transition is in progress.")
        @Size(min = 1, max = 1024)
        String start,
    @Required
        @JsonPropertyDescription(
            "The reason of the Node's condition when the transition has ended.")
        @Size(min = 1, max = 1024)
        String end,
    @JsonPropertyDescription("The only node that the transition is for.")
        @Size(min = 1, max = 253)
        @Pattern(Limits.SUBDOMAIN)
        @Nullable String nodeName,
    @JsonPropertyDescription("Selects the nodes that the transition is for, with one term.")
        @Nullable Nodes nodeSelector,
    @JsonPropertyDescription("The transition is for every node; only true is allowed.")
        @ValidationRule(value = "self", message = "spec.allNodes may only be true")
        @Nullable Boolean allNodes,
    @JsonPropertyDescription("The maximum time from claim to end, e.g. 5m. Absent: unlimited.")
        @ValidationRule(
            value = Limits.DURATION_RULE,
            message = "spec.sla must be a time of more than 0 and at most 876000h, such as 5m")
        @Size(max = 32)
        @Nullable String sla,
    @Required
        @JsonPropertyDescription("The name of the driver that carries it out.")
        @Size(min = 1, max = 253)
        String driver) {

  /** Selects nodes by labels and names, as in the node affinity of pods. */
  public record Nodes(
      @Required
          @JsonPropertyDescription("Exactly one term.")
          @ValidationRule(
              value = "self.size() == 1",
              message = "spec.nodeSelector.nodeSelectorTerms must have exactly one term")
          @Size(max = 16)
          List<Term> nodeSelectorTerms) {}

  /** A node must match all expressions. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Term(
      @JsonPropertyDescription("Requirements on the Node's labels.") @Size(max = 64)
          @Nullable List<Requirement> matchExpressions,
      @JsonPropertyDescription("Requirements on the Node's fields; only metadata.name is allowed.")
          @Size(max = 64)
          @ValidationRule(
              value =
                  "self.all(r, r.key == 'metadata.name' && r.operator in ['In', 'NotIn']"
                      + " && has(r.values) && r.values.size() == 1)",
              message =
                  "matchFields may only name metadata.name, with In or NotIn and exactly one value")
          @Nullable List<Requirement> matchFields) {}

  /** A requirement on one label or field. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  @ValidationRule(
      value =
          "self.operator in ['In', 'NotIn'] ? has(self.values) && self.values.size() > 0"
              + " : self.operator in ['Gt', 'Lt'] ? has(self.values) && self.values.size() == 1"
              + " : !has(self.values) || self.values.size() == 0",
      message = "In and NotIn need values, Gt and Lt exactly one, Exists and DoesNotExist none")
  public record Requirement(
      @Required @Size(min = 1, max = 317) String key,
      @Required
          @JsonPropertyDescription("In, NotIn, Exists, DoesNotExist, Gt or Lt.")
          @Size(max = 16)
          @Pattern("^(In|NotIn|Exists|DoesNotExist|Gt|Lt)$")
          String operator,
      @Size(max = 256) @Nullable List<String> values) {}
}
