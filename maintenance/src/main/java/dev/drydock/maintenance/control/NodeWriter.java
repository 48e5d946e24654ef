package dev.drydock.maintenance.control;

import static dev.drydock.kube.Fields.text;

import com.fasterxml.jackson.databind.JsonNode;
import dev.drydock.kube.Conditions.Condition;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.NodeConditions;
import dev.drydock.kube.Patch;
import dev.drydock.kube.Resource;
import dev.drydock.maintenance.decide.DesiredNodeConditions;
import dev.drydock.maintenance.decide.DesiredNodeConditions.Desired;
import dev.drydock.maintenance.decide.DesiredNodeConditions.Present;
import dev.drydock.maintenance.decide.MaintenanceFacts;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads and writes what a maintenance may of a Node: its own labels, its conditions, the cordon.
 */
final class NodeWriter {
  private final KubeHttp http;
  private final NodeConditions conditions;

  NodeWriter(Kube kube) {
    http = kube.http();
    conditions = new NodeConditions(kube);
  }

  /** Reads the Node from the API server; empty if it does not exist. */
  Optional<MaintenanceNodeObject> read(String name) {
    return http.find(Resource.NODES, "", name).map(MaintenanceNodeObject::read);
  }

  void label(MaintenanceNodeObject node, String label) {
    var _ = Patch.sameUid(Resource.NODES, node.object()).label(label, "").send(http);
  }

  void removeLabels(MaintenanceNodeObject node, Set<String> labels) {
    Patch patch = Patch.ifUnchanged(Resource.NODES, node.object());
    labels.forEach(label -> patch.label(label, null));
    var _ = patch.send(http);
  }

  void cordon(MaintenanceNodeObject node) {
    var _ =
        Patch.ifUnchanged(Resource.NODES, node.object())
            .spec(spec -> spec.put("unschedulable", true))
            .send(http);
  }

  /** Has the conditions say what the maintenances mean for the node; as it is then. */
  MaintenanceNodeObject record(MaintenanceNodeObject node, List<MaintenanceFacts> maintenances) {
    Map<DesiredNodeConditions.Type, Desired> changes =
        DesiredNodeConditions.changes(maintenances, present(node));
    if (changes.isEmpty()) {
      return node;
    }
    List<Condition> wanted = new ArrayList<>();
    changes.forEach((type, desired) -> wanted.add(condition(type, desired)));
    // Nothing is decided by conditions of Nodes, so nothing has to wait for them.
    return conditions
        .tryWrite(node.object(), node.conditions(), wanted)
        .map(MaintenanceNodeObject::read)
        .orElse(node);
  }

  private static Map<DesiredNodeConditions.Type, Present> present(MaintenanceNodeObject node) {
    Map<DesiredNodeConditions.Type, Present> present =
        new EnumMap<>(DesiredNodeConditions.Type.class);
    for (JsonNode each : node.conditions().all()) {
      DesiredNodeConditions.Type type = DesiredNodeConditions.Type.valueOf(text(each, "type"));
      present.put(type, new Present(node.conditions().isTrue(type.name()), text(each, "reason")));
    }
    return present;
  }

  private static Condition condition(DesiredNodeConditions.Type type, Desired desired) {
    return Condition.of(
        type.name(),
        desired.value(),
        desired.reason(),
        desired.maintenance().map(NodeWriter::describe).orElse("no active maintenance"));
  }

  private static String describe(MaintenanceFacts maintenance) {
    return "maintenance %s (%s) is %s"
        .formatted(
            maintenance.spec().maintenanceID(), maintenance.identity(), maintenance.state().text());
  }
}
