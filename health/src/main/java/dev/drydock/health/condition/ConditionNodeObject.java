package dev.drydock.health.condition;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.health.decide.FaultCondition;
import dev.drydock.kube.ApiObject;
import dev.drydock.kube.Conditions;
import dev.drydock.kube.Versioned;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A Node with its conditions, except those of its kubelet.
 *
 * @param conditions without heartbeats, which change without meaning anything here
 */
record ConditionNodeObject(String name, String uid, String version, Conditions conditions)
    implements Versioned {
  private static final Set<String> KUBELETS =
      Set.of("Ready", "MemoryPressure", "DiskPressure", "PIDPressure", "NetworkUnavailable");

  static ConditionNodeObject read(JsonNode node) {
    JsonNode metadata = node.path("metadata");
    List<JsonNode> others =
        Conditions.of(node.path("status")).all().stream()
            .filter(condition -> !KUBELETS.contains(text(condition, "type")))
            .toList();
    return new ConditionNodeObject(
        text(metadata, "name"),
        text(metadata, "uid"),
        text(metadata, "resourceVersion"),
        new Conditions(others));
  }

  /** The checks that have a condition, whether each has failed; the longest unchanged first. */
  Map<String, Boolean> checks() {
    Map<String, Boolean> checks = new LinkedHashMap<>();
    conditions.all().stream()
        .filter(ConditionNodeObject::isOurs)
        .sorted(Comparator.comparing(condition -> text(condition, "lastTransitionTime")))
        .forEach(
            condition ->
                checks.put(
                    text(condition, "type"), text(condition, "status").equals(Conditions.TRUE)));
    return checks;
  }

  /** Whether another program writes this condition. */
  boolean isOthers(String type) {
    return conditions.get(type).filter(condition -> !isOurs(condition)).isPresent();
  }

  private static boolean isOurs(JsonNode condition) {
    String type = text(condition, "type");
    String reason = text(condition, "reason");
    return reason.equals(FaultCondition.reason(type, true))
        || reason.equals(FaultCondition.reason(type, false));
  }

  ApiObject object() {
    return ApiObject.identified("", name, uid, version);
  }
}
