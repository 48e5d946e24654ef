package dev.drydock.sim.table;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.sim.json.Json;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** How pods are shown: the status is what is most telling about their containers. */
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
    return Json.at(pod, "status", "containerStatuses");
  }

  private static boolean isRunningReady(JsonNode container) {
    return container.path("ready").asBoolean() && Json.at(container, "state").has("running");
  }

  private static String ready(JsonNode pod) {
    long ready = containers(pod).valueStream().filter(PodColumns::isRunningReady).count();
    return ready + "/" + Json.at(pod, "spec", "containers").size();
  }

  private static String status(JsonNode pod) {
    String phase = Json.text(pod, "status", "phase");
    if (Json.isPresent(Json.at(pod, "metadata", "deletionTimestamp"))) {
      if (Json.text(pod, "status", "reason").equals("NodeLost")) {
        return "Unknown";
      }
      if (!List.of("Succeeded", "Failed").contains(phase)) {
        return "Terminating";
      }
    }
    String reason = Json.text(pod, "status", "reason");
    String init = initStatus(pod);
    if (!init.isEmpty() && !Json.hasCondition(pod, "Initialized")) {
      return init;
    }
    return ofContainers(pod, reason.isEmpty() ? phase : reason);
  }

  private static String initStatus(JsonNode pod) {
    JsonNode statuses = Json.at(pod, "status", "initContainerStatuses");
    for (int i = 0; i < statuses.size(); i++) {
      JsonNode state = statuses.path(i).path("state");
      if (state.has("terminated") && Json.at(state, "terminated", "exitCode").asInt() == 0) {
        continue;
      }
      if (state.has("terminated")) {
        return "Init:" + ending(state.path("terminated"));
      }
      String waiting = Json.text(state, "waiting", "reason");
      return waiting.isEmpty() || waiting.equals("PodInitializing")
          ? "Init:%d/%d".formatted(i, Json.at(pod, "spec", "initContainers").size())
          : "Init:" + waiting;
    }
    return "";
  }

  private static String ofContainers(JsonNode pod, String usual) {
    String status = usual;
    String failure = "";
    for (JsonNode container : containers(pod).valueStream().toList().reversed()) {
      JsonNode state = container.path("state");
      String waiting = Json.text(state, "waiting", "reason");
      if (!waiting.isEmpty()) {
        status = waiting;
      } else if (state.has("terminated")) {
        status = ending(state.path("terminated"));
        failure = Json.at(state, "terminated", "exitCode").asInt() == 0 ? failure : status;
      }
    }
    if (!status.equals("Completed")) {
      return status;
    }
    boolean runs = containers(pod).valueStream().anyMatch(PodColumns::isRunningReady);
    if (runs && Json.hasCondition(pod, "Ready")) {
      return "Running";
    }
    return !failure.isEmpty() ? failure : runs ? "NotReady" : status;
  }

  private static String ending(JsonNode terminated) {
    String reason = Json.text(terminated, "reason");
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
            .map(container -> Json.at(container, "lastState", "terminated", "finishedAt"))
            .filter(Json::isPresent)
            .max(Comparator.comparing(JsonNode::asText));
    String ago =
        restarts > 0 && last.isPresent() ? " (%s ago)".formatted(Ages.since(last.get(), now)) : "";
    return Column.text(restarts + ago);
  }

  private static String gates(JsonNode pod) {
    JsonNode gates = Json.at(pod, "spec", "readinessGates");
    long open =
        gates
            .valueStream()
            .filter(gate -> Json.hasCondition(pod, Json.text(gate, "conditionType")))
            .count();
    return gates.isEmpty() ? "" : open + "/" + gates.size();
  }
}
