package dev.drydock.sim.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.JsonTrees;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The columns of Pods; the status summarizes their containers. */
final class PodColumns {
  static final List<Column> ALL =
      List.of(
          Column.NAME,
          Column.of("Ready", PodColumns::ready),
          Column.of("Status", PodColumns::status),
          new Column("Restarts", "string", "", 0, PodColumns::restarts),
          Column.AGE,
          Column.at("IP", "status.podIP").orNone().wide(),
          Column.at("Node", "spec.nodeName").orNone().wide(),
          Column.at("Nominated Node", "status.nominatedNodeName").orNone().wide(),
          Column.of("Readiness Gates", PodColumns::gates).orNone().wide());

  private PodColumns() {}

  private static JsonNode containers(JsonNode pod) {
    return JsonTrees.at(pod, "status", "containerStatuses");
  }

  private static boolean isRunningReady(JsonNode container) {
    return container.path("ready").asBoolean() && JsonTrees.at(container, "state").has("running");
  }

  private static String ready(JsonNode pod) {
    long ready = containers(pod).valueStream().filter(PodColumns::isRunningReady).count();
    return ready + "/" + JsonTrees.at(pod, "spec", "containers").size();
  }

  private static String status(JsonNode pod) {
    String phase = JsonTrees.text(pod, "status", "phase");
    if (JsonTrees.isPresent(JsonTrees.at(pod, "metadata", "deletionTimestamp"))) {
      if (JsonTrees.text(pod, "status", "reason").equals("NodeLost")) {
        return "Unknown";
      }
      if (!List.of("Succeeded", "Failed").contains(phase)) {
        return "Terminating";
      }
    }
    String reason = JsonTrees.text(pod, "status", "reason");
    String init = initStatus(pod);
    if (!init.isEmpty() && !JsonTrees.hasCondition(pod, "Initialized")) {
      return init;
    }
    return ofContainers(pod, reason.isEmpty() ? phase : reason);
  }

  private static String initStatus(JsonNode pod) {
    JsonNode statuses = JsonTrees.at(pod, "status", "initContainerStatuses");
    for (int i = 0; i < statuses.size(); i++) {
      JsonNode state = statuses.path(i).path("state");
      if (state.has("terminated") && JsonTrees.at(state, "terminated", "exitCode").asInt() == 0) {
        continue;
      }
      if (state.has("terminated")) {
        return "Init:" + ending(state.path("terminated"));
      }
      String waiting = JsonTrees.text(state, "waiting", "reason");
      return waiting.isEmpty() || waiting.equals("PodInitializing")
          ? "Init:%d/%d".formatted(i, JsonTrees.at(pod, "spec", "initContainers").size())
          : "Init:" + waiting;
    }
    return "";
  }

  private static String ofContainers(JsonNode pod, String usual) {
    String status = usual;
    String failure = "";
    for (JsonNode container : containers(pod).valueStream().toList().reversed()) {
      JsonNode state = container.path("state");
      String waiting = JsonTrees.text(state, "waiting", "reason");
      if (!waiting.isEmpty()) {
        status = waiting;
      } else if (state.has("terminated")) {
        status = ending(state.path("terminated"));
        failure = JsonTrees.at(state, "terminated", "exitCode").asInt() == 0 ? failure : status;
      }
    }
    if (!status.equals("Completed")) {
      return status;
    }
    boolean runs = containers(pod).valueStream().anyMatch(PodColumns::isRunningReady);
    if (runs && JsonTrees.hasCondition(pod, "Ready")) {
      return "Running";
    }
    return !failure.isEmpty() ? failure : runs ? "NotReady" : status;
  }

  private static String ending(JsonNode terminated) {
    String reason = JsonTrees.text(terminated, "reason");
    if (!reason.isEmpty()) {
      return reason;
    }
    int signal = terminated.path("signal").asInt();
    return signal != 0 ? "Signal:" + signal : "ExitCode:" + terminated.path("exitCode").asInt();
  }

  private static JsonNode restarts(JsonNode pod, Instant now) {
    int restarts =
        containers(pod)
            .valueStream()
            .mapToInt(container -> container.path("restartCount").asInt())
            .sum();
    Optional<JsonNode> last =
        containers(pod)
            .valueStream()
            .map(container -> JsonTrees.at(container, "lastState", "terminated", "finishedAt"))
            .filter(JsonTrees::isPresent)
            .max(Comparator.comparing(JsonNode::asText));
    String ago =
        restarts > 0 && last.isPresent()
            ? " (%s ago)".formatted(AgeColumn.since(last.get(), now))
            : "";
    return Column.text(restarts + ago);
  }

  private static String gates(JsonNode pod) {
    JsonNode gates = JsonTrees.at(pod, "spec", "readinessGates");
    long open =
        gates
            .valueStream()
            .filter(gate -> JsonTrees.hasCondition(pod, JsonTrees.text(gate, "conditionType")))
            .count();
    return gates.isEmpty() ? "" : open + "/" + gates.size();
  }
}
