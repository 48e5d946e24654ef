package dev.drydock.sim.kubelet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.kubelet.KubeletKnobs.Reading;
import dev.drydock.sim.kubelet.PodView.Part;
import dev.drydock.sim.kubelet.PodView.Role;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The same views as {@link PodView#of} and {@link NodeView#of}, directly from stored trees: a
 * simulated cluster has a hundred thousand of them.
 */
final class StoredViews {
  private StoredViews() {}

  static PodView pod(ObjectNode pod, @Nullable PodView previous, Instant now) {
    JsonNode metadata = pod.path("metadata");
    JsonNode status = pod.path("status");
    return new PodView(
        new PodView.Identity(
            JsonTrees.text(metadata, "namespace"),
            JsonTrees.text(metadata, "name"),
            JsonTrees.text(metadata, "uid"),
            JsonTrees.text(metadata, "resourceVersion")),
        program(pod.path("spec")),
        PodView.Phase.of(JsonTrees.text(status, "phase")),
        running(status, previous == null ? null : previous.running(), now),
        ending(metadata, previous == null ? null : previous.ending(), now),
        conditions(pod),
        reading(metadata, true));
  }

  static NodeView node(ObjectNode node, @Nullable NodeView previous, Instant now) {
    JsonNode metadata = node.path("metadata");
    JsonNode status = node.path("status");
    Map<String, String> conditions = new HashMap<>();
    Since rebooting = null;
    for (JsonNode condition : status.path("conditions")) {
      String type = JsonTrees.text(condition, "type");
      String value = JsonTrees.text(condition, "status");
      if (NodeView.WELL.containsKey(type)) {
        conditions.put(type, value);
      } else if (type.equals(NodeView.REBOOTING) && value.equals("True")) {
        Instant since = Instant.parse(JsonTrees.text(condition, "lastTransitionTime"));
        rebooting = Since.of(since, previous == null ? null : previous.rebooting(), now);
      }
    }
    return new NodeView(
        new NodeView.Identity(JsonTrees.text(metadata, "name"), JsonTrees.text(metadata, "uid")),
        JsonTrees.text(status, "nodeInfo", "bootID"),
        address(status),
        Map.copyOf(conditions),
        rebooting,
        reading(metadata, false));
  }

  static String address(JsonNode status) {
    for (JsonNode address : status.path("addresses")) {
      if (JsonTrees.text(address, "type").equals("InternalIP")) {
        return JsonTrees.text(address, "address");
      }
    }
    return "";
  }

  private static Reading reading(JsonNode metadata, boolean ofPod) {
    Map<String, String> annotations = new HashMap<>();
    metadata
        .path("annotations")
        .properties()
        .forEach(each -> annotations.put(each.getKey(), each.getValue().asText()));
    return ofPod ? KubeletKnobs.ofPod(annotations) : KubeletKnobs.ofNode(annotations);
  }

  private static PodView.Program program(JsonNode spec) {
    List<Part> parts = new ArrayList<>();
    for (JsonNode container : spec.path("initContainers")) {
      boolean sidecar = JsonTrees.text(container, "restartPolicy").equals("Always");
      parts.add(part(container, sidecar ? Role.SIDECAR : Role.INIT));
    }
    for (JsonNode container : spec.path("containers")) {
      parts.add(part(container, Role.MAIN));
    }
    return new PodView.Program(
        JsonTrees.text(spec, "nodeName"),
        List.copyOf(parts),
        JsonTrees.text(spec, "restartPolicy").equals("Never"),
        spec.path("hostNetwork").asBoolean());
  }

  private static Part part(JsonNode container, Role role) {
    return new Part(JsonTrees.text(container, "name"), JsonTrees.text(container, "image"), role);
  }

  private static PodView.@Nullable Running running(
      JsonNode status, PodView.@Nullable Running previous, Instant now) {
    int restarts = 0;
    for (String list : List.of("containerStatuses", "initContainerStatuses")) {
      for (JsonNode container : status.path(list)) {
        restarts = Math.max(restarts, container.path("restartCount").asInt());
      }
    }
    for (JsonNode container : status.path("containerStatuses")) {
      JsonNode running = JsonTrees.at(container, "state", "running");
      if (running.isObject()) {
        String bootId = PodView.bootId(JsonTrees.text(container, "containerID"));
        Since before =
            previous != null && previous.bootId().equals(bootId) ? previous.since() : null;
        Instant started = Instant.parse(JsonTrees.text(running, "startedAt"));
        return new PodView.Running(Since.of(started, before, now), bootId, restarts);
      }
    }
    return null;
  }

  private static PodView.@Nullable Ending ending(
      JsonNode metadata, PodView.@Nullable Ending previous, Instant now) {
    String deletion = JsonTrees.text(metadata, "deletionTimestamp");
    if (deletion.isEmpty()) {
      return null;
    }
    // The deletionTimestamp is the end of the grace period, not the time of the request.
    Duration grace = Duration.ofSeconds(metadata.path("deletionGracePeriodSeconds").asLong());
    Since before = previous == null ? null : previous.since();
    return new PodView.Ending(Since.of(Instant.parse(deletion).minus(grace), before, now), grace);
  }

  private static PodView.Conditions conditions(ObjectNode pod) {
    boolean gatesPassed = true;
    for (JsonNode gate : JsonTrees.at(pod, "spec", "readinessGates")) {
      gatesPassed &= JsonTrees.hasCondition(pod, JsonTrees.text(gate, "conditionType"));
    }
    return new PodView.Conditions(
        JsonTrees.hasCondition(pod, "PodScheduled"),
        JsonTrees.hasCondition(pod, "Initialized"),
        JsonTrees.hasCondition(pod, "ContainersReady"),
        JsonTrees.hasCondition(pod, "Ready"),
        gatesPassed);
  }
}
