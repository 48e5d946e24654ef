package dev.drydock.maintenance.control;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.drydock.kube.ApiCall;
import dev.drydock.kube.Json;
import dev.drydock.kube.KubeAnswer;
import dev.drydock.kube.KubeHttp;
import dev.drydock.maintenance.decide.DesiredNodeConditions;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.net.HttpURLConnection;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads and writes what a maintenance may of a Node: its own labels, its conditions, the cordon.
 */
final class NodeWriter {
  private static final Logger LOG = LoggerFactory.getLogger(NodeWriter.class);

  /** Reasons by which our conditions are known; others' True is never overwritten. */
  private static final String UNDER_WAY = "DrydockMaintenance";

  private static final String NONE = "DrydockNoMaintenance";

  private final KubeHttp http;
  private final Clock clock;

  NodeWriter(KubeHttp http, Clock clock) {
    this.http = http;
    this.clock = clock;
  }

  /** As it is now, past all caches; empty if it does not exist. */
  Optional<MaintenanceNodeObject> read(String name) {
    KubeAnswer answer = http.send(ApiCall.get(MaintenanceNodeObject.path(name)));
    return answer.code() == HttpURLConnection.HTTP_NOT_FOUND
        ? Optional.empty()
        : Optional.of(MaintenanceNodeObject.read(answer.orThrow("node " + name)));
  }

  void removeLabels(MaintenanceNodeObject node, Set<String> labels) {
    ObjectNode patch = unchanged(node);
    ObjectNode gone = ((ObjectNode) patch.path("metadata")).putObject("labels");
    labels.forEach(gone::putNull);
    send(node, patch);
  }

  void cordon(MaintenanceNodeObject node) {
    ObjectNode patch = unchanged(node);
    patch.putObject("spec").put("unschedulable", true);
    send(node, patch);
  }

  private void send(MaintenanceNodeObject node, ObjectNode patch) {
    String name = node.facts().name();
    var _ =
        http.send(ApiCall.mergePatch(MaintenanceNodeObject.path(name), patch.toString()))
            .orThrow("node " + name);
  }

  private static ObjectNode unchanged(MaintenanceNodeObject node) {
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", node.uid()).put("resourceVersion", node.version());
    return patch;
  }

  /** Best effort: nothing is decided by conditions of Nodes. */
  void tell(
      MaintenanceNodeObject node,
      Map<DesiredNodeConditions.Type, DesiredNodeConditions.Standing> standings) {
    ArrayNode changes = Json.array();
    standings.forEach((type, standing) -> change(changes, node, type, standing));
    if (changes.isEmpty()) {
      return;
    }
    ObjectNode patch = Json.object();
    patch.putObject("metadata").put("uid", node.uid());
    patch.putObject("status").set("conditions", changes);
    String path = MaintenanceNodeObject.path(node.facts().name()) + "/status";
    KubeAnswer answer = http.send(ApiCall.strategicPatch(path, patch.toString()));
    if (!answer.ok()) {
      LOG.warn("conditions of node {} not written: {}", node.facts().name(), answer.message());
    }
  }

  private void change(
      ArrayNode changes,
      MaintenanceNodeObject node,
      DesiredNodeConditions.Type type,
      DesiredNodeConditions.Standing standing) {
    Optional<MaintenanceNodeObject.Condition> before =
        Optional.ofNullable(node.conditions().get(type));
    boolean isTrue = before.filter(known -> known.status().equals("True")).isPresent();
    boolean isOurs = before.filter(known -> known.reason().equals(UNDER_WAY)).isPresent();
    if (isTrue == standing.value() || (isTrue && !isOurs)) {
      return;
    }
    String now = Instant.now(clock).truncatedTo(ChronoUnit.SECONDS).toString();
    changes
        .addObject()
        .put("type", type.name())
        .put("status", standing.value() ? "True" : "False")
        .put("reason", standing.value() ? UNDER_WAY : NONE)
        .put(
            "message",
            standing
                .maintenance()
                .map(NodeWriter::describe)
                .orElse("no maintenance needs it any more"))
        .put("lastHeartbeatTime", now)
        .put("lastTransitionTime", now);
  }

  private static String describe(MaintenanceFacts maintenance) {
    return "maintenance %s (%s) is %s"
        .formatted(
            maintenance.spec().maintenanceID(), maintenance.identity(), maintenance.state().text());
  }
}
