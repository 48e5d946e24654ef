package dev.drydock.sim.control.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.contracts.LabelSelector;
import dev.drydock.contracts.LabelSelector.Requirement;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.select.LabelSelectors;
import java.util.List;

/** Whether a node's labels and name match a pod's node affinity. Pure. */
public final class NodeMatch {
  public static final String HOSTNAME = "kubernetes.io/hostname";

  private NodeMatch() {}

  /** Checks {@code nodeSelector} and the required node affinity. */
  public static boolean matches(JsonNode podSpec, JsonNode labels, String name) {
    if (!LabelSelectors.matchesLabels(LabelSelectors.ofAny(podSpec.path("nodeSelector")), labels)) {
      return false;
    }
    JsonNode required = required(podSpec);
    return !required.isObject()
        || required
            .path("nodeSelectorTerms")
            .valueStream()
            .anyMatch(term -> matchesTerm(term, labels, name));
  }

  static JsonNode required(JsonNode podSpec) {
    return JsonTrees.at(
        podSpec, "affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution");
  }

  /** An empty term matches nothing. */
  private static boolean matchesTerm(JsonNode term, JsonNode labels, String name) {
    JsonNode expressions = term.path("matchExpressions");
    JsonNode fields = term.path("matchFields");
    if (expressions.isEmpty() && fields.isEmpty()) {
      return false;
    }
    JsonNode byField = JsonTrees.object().put("metadata.name", name);
    return holds(expressions, labels) && holds(fields, byField);
  }

  private static boolean holds(JsonNode expressions, JsonNode labels) {
    try {
      List<Requirement> requirements =
          expressions.valueStream().map(LabelSelectors::requirement).toList();
      return LabelSelectors.matchesLabels(new LabelSelector(requirements), labels);
    } catch (IllegalArgumentException notUnderstood) {
      return false; // as the scheduler treats such a term
    }
  }
}
