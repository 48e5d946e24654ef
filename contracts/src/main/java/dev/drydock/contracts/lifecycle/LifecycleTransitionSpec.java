package dev.drydock.contracts.lifecycle;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What can be done to nodes, to which of them, and by which driver. */
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
        @JsonPropertyDescription("The reason of the node's condition once the transition began.")
        @Size(min = 1, max = 1024)
        String start,
    @Required
        @JsonPropertyDescription("The reason of the node's condition once it is over.")
        @Size(min = 1, max = 1024)
        String end,
    @JsonPropertyDescription("The only node it is for.")
        @Size(min = 1, max = 253)
        @Pattern("^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$")
        @Nullable String nodeName,
    @JsonPropertyDescription("The nodes it is for, by one term.") @Nullable Nodes nodeSelector,
    @JsonPropertyDescription("That it is for every node; only true is allowed.")
        @ValidationRule(value = "self", message = "spec.allNodes may only be true")
        @Nullable Boolean allNodes,
    @JsonPropertyDescription("The time from claim to end, e.g. 5m. Absent: any.")
        @ValidationRule(
            value =
                "self.matches('^([0-9]+([.][0-9]+)?(ns|us|ms|s|m|h))+$')"
                    + " && duration(self) > duration('0s')",
            message = "spec.sla must be a time of more than 0, such as 5m or 1h30m")
        @Size(max = 32)
        @Nullable String sla,
    @Required
        @JsonPropertyDescription("The name of the driver that carries it out.")
        @Size(min = 1, max = 253)
        String driver) {

  /** Nodes by labels and names, as in the affinity of pods. */
  public record Nodes(
      @Required
          @JsonPropertyDescription("Exactly one term.")
          @ValidationRule(
              value = "self.size() == 1",
              message = "spec.nodeSelector.nodeSelectorTerms must have exactly one term")
          @Size(max = 16)
          List<Term> nodeSelectorTerms) {}

  /** All of these must hold. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Term(
      @JsonPropertyDescription("On the node's labels.") @Size(max = 64)
          @Nullable List<Requirement> matchExpressions,
      @JsonPropertyDescription("On the node's fields; only metadata.name.") @Size(max = 64)
          @Nullable List<Requirement> matchFields) {}

  /** What a label or field must be. */
  @JsonInclude(JsonInclude.Include.NON_EMPTY)
  public record Requirement(
      @Required @Size(min = 1, max = 317) String key,
      @Required
          @JsonPropertyDescription("In, NotIn, Exists, DoesNotExist, Gt or Lt.")
          @Pattern("^(In|NotIn|Exists|DoesNotExist|Gt|Lt)$")
          String operator,
      @Size(max = 256) @Nullable List<String> values) {}
}
