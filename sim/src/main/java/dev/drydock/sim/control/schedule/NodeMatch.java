package dev.drydock.sim.control.schedule;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.JsonTrees;
import java.util.Map;

/** Whether a node's labels and name match a pod's node affinity. Pure. */
public final class NodeMatch {
  public static final String HOSTNAME = "kubernetes.io/hostname";

  private NodeMatch() {}

  /** Checks {@code nodeSelector} and the required node affinity. */
  public static boolean matches(JsonNode podSpec, JsonNode labels, String name) {
    for (Map.Entry<String, JsonNode> wanted : podSpec.path("nodeSelector").properties()) {
      if (!labels.has(wanted.getKey())
          || !JsonTrees.text(labels, wanted.getKey()).equals(wanted.getValue().asText())) {
        return false;
      }
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
    return expressions.valueStream().allMatch(each -> holds(each, labels))
        && fields.valueStream().allMatch(each -> holds(each, byField));
  }

  private static boolean holds(JsonNode expression, JsonNode labels) {
    String key = JsonTrees.text(expression, "key");
    boolean present = labels.has(key);
    String value = JsonTrees.text(labels, key);
    boolean listed = present && JsonTrees.texts(expression.path("values")).contains(value);
    return switch (JsonTrees.text(expression, "operator")) {
      case "In" -> listed;
      case "NotIn" -> !listed;
      case "Exists" -> present;
      case "DoesNotExist" -> !present;
      case "Gt" -> present && compare(value, expression) > 0;
      case "Lt" -> present && compare(value, expression) < 0;
      default -> false;
    };
  }

  /** Zero, so neither greater nor less, if one of them is not a number. */
  private static int compare(String value, JsonNode expression) {
    try {
      return Long.compare(
          Long.parseLong(value), Long.parseLong(expression.path("values").path(0).asText()));
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}
