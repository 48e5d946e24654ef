package dev.drydock.sim.control.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.StatusConditions;
import dev.drydock.sim.control.schedule.Taints;
import dev.drydock.sim.json.JsonTrees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Derives a node's taints and conditions from its state. Pure. */
final class NodeHealth {
  private record Mark(String key, String effect) {}

  private static final Map<String, String> PRESSURES =
      new TreeMap<>(
          Map.of(
              "MemoryPressure", "node.kubernetes.io/memory-pressure",
              "DiskPressure", "node.kubernetes.io/disk-pressure",
              "PIDPressure", "node.kubernetes.io/pid-pressure",
              "NetworkUnavailable", "node.kubernetes.io/network-unavailable"));

  /** The conditions that only a kubelet reports. */
  private static final List<String> REPORTED =
      List.of("MemoryPressure", "DiskPressure", "PIDPressure", "Ready");

  private NodeHealth() {}

  /** The taints, updated for the node's conditions and cordon. */
  static ArrayNode taints(JsonNode node, String now) {
    Map<Mark, Boolean> wanted = wanted(node);
    ArrayNode taints = JsonTrees.array();
    for (JsonNode taint : JsonTrees.at(node, "spec", "taints")) {
      Mark mark = new Mark(JsonTrees.text(taint, "key"), JsonTrees.text(taint, "effect"));
      if (wanted.getOrDefault(mark, true)) {
        taints.add(taint);
        wanted.remove(mark);
      }
    }
    wanted.forEach(
        (mark, holds) -> {
          if (holds) {
            taints
                .addObject()
                .put("effect", mark.effect())
                .put("key", mark.key())
                .put("timeAdded", now);
          }
        });
    return taints;
  }

  private static Map<Mark, Boolean> wanted(JsonNode node) {
    String ready = StatusConditions.status(node, "Ready");
    boolean unknown = ready.equals("Unknown");
    boolean notReady = ready.equals("False");
    Map<Mark, Boolean> wanted = new LinkedHashMap<>();
    for (String effect : List.of(Taints.NO_SCHEDULE, Taints.NO_EXECUTE)) {
      wanted.put(new Mark(Taints.NOT_READY, effect), notReady);
      wanted.put(new Mark(Taints.UNREACHABLE, effect), unknown);
    }
    wanted.put(
        new Mark(Taints.UNSCHEDULABLE, Taints.NO_SCHEDULE),
        JsonTrees.at(node, "spec", "unschedulable").asBoolean());
    PRESSURES.forEach(
        (condition, key) ->
            wanted.put(new Mark(key, Taints.NO_SCHEDULE), JsonTrees.hasCondition(node, condition)));
    return wanted;
  }

  /** The status of a node whose heartbeats stopped too long ago. */
  static ObjectNode unknown(JsonNode node, String now) {
    ObjectNode status = ControllerClient.shallow(node.path("status"));
    JsonNode conditions = status.path("conditions");
    for (String type : REPORTED) {
      if (!StatusConditions.status(node, type).equals("Unknown")) {
        conditions =
            StatusConditions.with(
                conditions,
                new StatusConditions.Condition(
                    type, "Unknown", "NodeStatusUnknown", "Kubelet stopped posting node status."),
                now);
      }
    }
    status.set("conditions", conditions);
    return status;
  }
}
