package dev.drydock.contracts.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.drydock.contracts.Limits;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.IntOrString;
import org.jspecify.annotations.Nullable;

/** How many nodes of each failure domain may be out of service at the same time. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record DomainBudget(
    @JsonPropertyDescription(
            "The node label whose values are the domains, e.g. topology.kubernetes.io/zone. Nodes"
                + " without it are a domain of their own. Absent: all nodes are one domain.")
        @Size(min = 1, max = 317)
        @Nullable String key,
    @Required
        @JsonPropertyDescription(
            "Nodes that may be out of service in each domain: a number, or a percentage of its nodes. A"
                + " percentage is rounded down, but to no less than one node. Nodes that are not"
                + " ready, cordoned or held for any reason count.")
        @SchemaFrom(type = IntOrString.class)
        // no CEL rule for percentages: the text has no length limit, so its cost estimate is too
        // high
        @Pattern("^([1-9][0-9]?|100)%$")
        @ValidationRule(
            value = "type(self) != int || self >= 1",
            message = "maxUnavailable must be at least 1 or 1%; with 0 no node could ever leave")
        @ValidationRule(
            value = "type(self) != int || self <= " + Limits.MOST_NODES,
            message = "maxUnavailable must be at most " + Limits.MOST_NODES)
        String maxUnavailable) {}
