package dev.drydock.sim.control.workload;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.sim.control.ControllerClient;
import dev.drydock.sim.control.Resources;
import dev.drydock.sim.control.StatusConditions;
import dev.drydock.sim.control.StatusConditions.Condition;
import dev.drydock.sim.json.JsonTrees;
import dev.drydock.sim.store.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The status of a Deployment: counts, and the conditions Available and Progressing. */
final class DeploymentStatus {
  private static final String PROGRESSING = "Progressing";
  private static final long DEFAULT_DEADLINE = 600;

  private final ControllerClient client;

  DeploymentStatus(ControllerClient client) {
    this.client = client;
  }

  /** Writes the status; returns the progress deadline, or null. */
  @Nullable Instant write(
      ObjectKey key, ObjectNode deployment, List<ObjectNode> sets, @Nullable ObjectNode young) {
    int wanted = Workloads.replicas(deployment);
    int total = sum(sets, "replicas");
    int available = sum(sets, "availableReplicas");
    int updated = young == null ? 0 : sum(List.of(young), "replicas");
    ObjectNode status = Workloads.statusOf(deployment, Set.of());
    Workloads.putCount(status, "replicas", total);
    Workloads.putCount(status, "updatedReplicas", updated);
    Workloads.putCount(status, "readyReplicas", sum(sets, "readyReplicas"));
    Workloads.putCount(status, "availableReplicas", available);
    status.put("terminatingReplicas", sum(sets, "terminatingReplicas"));
    int unavailable = Math.max(0, Math.max(wanted, total) - available);
    Workloads.putCount(status, "unavailableReplicas", unavailable);
    JsonNode conditions = status.path("conditions");
    conditions =
        StatusConditions.with(conditions, availability(deployment, available), client.now());
    boolean complete = young != null && updated == wanted && total == wanted && available == wanted;
    Instant deadline = null;
    boolean moved = !sameCounts(deployment, status);
    if (young != null) {
      deadline = complete ? null : deadline(deployment, moved);
      Condition progress = progress(young, complete, deadline);
      conditions = StatusConditions.with(conditions, progress, client.now());
    }
    conditions = confirmed(conditions, moved);
    status.set("conditions", conditions);
    client.setStatus(Resources.DEPLOYMENTS, key, status);
    return deadline == null || !deadline.isAfter(client.clock().instant()) ? null : deadline;
  }

  private static int sum(List<ObjectNode> sets, String count) {
    return sets.stream().mapToInt(set -> JsonTrees.at(set, "status", count).asInt()).sum();
  }

  private static Condition availability(ObjectNode deployment, int available) {
    int wanted = Workloads.replicas(deployment);
    JsonNode rolling = JsonTrees.at(deployment, "spec", "strategy", "rollingUpdate");
    int least =
        wanted
            - RollingUpdate.wish(
                    wanted,
                    rolling.path("maxSurge").asText("25%"),
                    rolling.path("maxUnavailable").asText("25%"))
                .maxUnavailable();
    return available >= least
        ? Condition.yes(
            "Available", "MinimumReplicasAvailable", "Deployment has minimum availability.")
        : Condition.no(
            "Available",
            "MinimumReplicasUnavailable",
            "Deployment does not have minimum availability.");
  }

  private static boolean sameCounts(ObjectNode deployment, ObjectNode status) {
    return List.of("replicas", "updatedReplicas", "readyReplicas", "availableReplicas").stream()
        .allMatch(
            field ->
                JsonTrees.at(deployment, "status", field).asInt() == status.path(field).asInt());
  }

  /** The progress deadline, counted from the last progress. */
  private Instant deadline(ObjectNode deployment, boolean moved) {
    long patience =
        JsonTrees.at(deployment, "spec", "progressDeadlineSeconds").asLong(DEFAULT_DEADLINE);
    JsonNode before = StatusConditions.find(deployment, PROGRESSING);
    String last = before == null ? "" : JsonTrees.text(before, "lastUpdateTime");
    Instant since = moved || last.isEmpty() ? client.clock().instant() : Instant.parse(last);
    return since.plusSeconds(patience);
  }

  private Condition progress(ObjectNode young, boolean complete, @Nullable Instant deadline) {
    String set = JsonTrees.text(young, "metadata", "name");
    if (complete) {
      return Condition.yes(
          PROGRESSING,
          "NewReplicaSetAvailable",
          "ReplicaSet \"%s\" has successfully progressed.".formatted(set));
    }
    if (deadline != null && !deadline.isAfter(client.clock().instant())) {
      return Condition.no(
          PROGRESSING,
          "ProgressDeadlineExceeded",
          "ReplicaSet \"%s\" has timed out progressing.".formatted(set));
    }
    return Condition.yes(
        PROGRESSING, "ReplicaSetUpdated", "ReplicaSet \"%s\" is progressing.".formatted(set));
  }

  /** Conditions of Deployments also have a lastUpdateTime. */
  private JsonNode confirmed(JsonNode conditions, boolean moved) {
    ArrayNode confirmed = JsonTrees.array();
    for (JsonNode condition : conditions) {
      boolean renewed =
          !condition.has("lastUpdateTime")
              || (moved && JsonTrees.text(condition, "type").equals(PROGRESSING));
      ObjectNode same = ControllerClient.shallow(condition);
      confirmed.add(renewed ? same.put("lastUpdateTime", client.now()) : same);
    }
    return confirmed;
  }
}
