package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.control.Conditions;
import dev.drydock.sim.json.Json;

/** What the failure of a pod means to its job. Pure. */
final class FailurePolicy {
  /** Fail the job, pass over the failure, or count it. */
  enum Action {
    FAIL_JOB,
    IGNORE,
    COUNT
  }

  private FailurePolicy() {}

  /** By the first rule that matches. */
  static Action actionOn(JsonNode pod, JsonNode policy) {
    for (JsonNode rule : policy.path("rules")) {
      if (matchesExitCode(pod, rule.path("onExitCodes"))
          || matchesCondition(pod, rule.path("onPodConditions"))) {
        return switch (Json.text(rule, "action")) {
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
    String container = Json.text(requirement, "containerName");
    boolean in = Json.text(requirement, "operator").equals("In");
    for (JsonNode status : Json.at(pod, "status", "containerStatuses")) {
      JsonNode code = Json.at(status, "state", "terminated", "exitCode");
      boolean meant = container.isEmpty() || Json.text(status, "name").equals(container);
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
              String wanted = Json.text(pattern, "status");
              return Conditions.status(pod, Json.text(pattern, "type"))
                  .equals(wanted.isEmpty() ? "True" : wanted);
            });
  }
}
