package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.control.StatusConditions;
import dev.drydock.sim.json.JsonTrees;

/** What a pod's failure means for its Job. Pure. */
final class FailurePolicy {
  /** Fail the Job, ignore the failure, or count it. */
  enum Action {
    FAIL_JOB,
    IGNORE,
    COUNT
  }

  private FailurePolicy() {}

  /** Applies the first rule that matches. */
  static Action actionOn(JsonNode pod, JsonNode policy) {
    for (JsonNode rule : policy.path("rules")) {
      if (matchesExitCode(pod, rule.path("onExitCodes"))
          || matchesCondition(pod, rule.path("onPodConditions"))) {
        return switch (JsonTrees.text(rule, "action")) {
          case "FailJob" -> Action.FAIL_JOB;
          case "Ignore" -> Action.IGNORE;
          default -> Action.COUNT;
        };
      }
    }
    return Action.COUNT;
  }

  private static boolean matchesExitCode(JsonNode pod, JsonNode requirement) {
    if (!requirement.isObject()) {
      return false;
    }
    String container = JsonTrees.text(requirement, "containerName");
    boolean in = JsonTrees.text(requirement, "operator").equals("In");
    for (JsonNode status : JsonTrees.at(pod, "status", "containerStatuses")) {
      JsonNode code = JsonTrees.at(status, "state", "terminated", "exitCode");
      boolean meant = container.isEmpty() || JsonTrees.text(status, "name").equals(container);
      if (meant && code.isNumber() && code.asInt() != 0) {
        boolean listed =
            requirement.path("values").valueStream().anyMatch(it -> it.asInt() == code.asInt());
        if (listed == in) {
          return true;
        }
      }
    }
    return false;
  }

  private static boolean matchesCondition(JsonNode pod, JsonNode patterns) {
    return patterns
        .valueStream()
        .anyMatch(
            pattern -> {
              String wanted = JsonTrees.text(pattern, "status");
              return StatusConditions.status(pod, JsonTrees.text(pattern, "type"))
                  .equals(wanted.isEmpty() ? "True" : wanted);
            });
  }
}
