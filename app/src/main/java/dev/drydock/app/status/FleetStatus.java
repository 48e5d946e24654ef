package dev.drydock.app.status;

import static java.util.stream.Collectors.groupingBy;

import dev.drydock.drain.engine.decide.NaturalOrder;
import dev.drydock.maintenance.control.NotifyMaintenanceObject;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How the nodes stand.
 *
 * @param stopped why nothing new begins, if so
 * @param count of all nodes that were looked at
 * @param byState how many are in each state, those in service first
 * @param nodes those that are shown
 * @param notes what could not be looked at, and why
 */
record FleetStatus(
    @Nullable String stopped,
    int count,
    Map<String, Integer> byState,
    List<NodeStatus> nodes,
    List<String> notes) {

  /** Of all nodes that were seen, in the order people count. */
  static FleetStatus of(StatusSnapshot snapshot) {
    Map<String, List<NotifyMaintenanceObject>> maintenances =
        snapshot.maintenances().stream().collect(groupingBy(each -> each.facts().node()));
    Map<String, List<DrainRequestSnapshot>> drains =
        snapshot.drains().stream().collect(groupingBy(DrainRequestSnapshot::node));
    List<NodeStatus> nodes =
        snapshot.nodes().stream()
            .sorted(Comparator.comparing(NodeSnapshot::name, NaturalOrder.INSTANCE))
            .map(
                node ->
                    NodeStatus.of(
                        node,
                        maintenances.getOrDefault(node.name(), List.of()),
                        drains.getOrDefault(node.name(), List.of())))
            .toList();
    return new FleetStatus(
        snapshot.stopped().orElse(null), nodes.size(), count(nodes), nodes, snapshot.notes());
  }

  private static Map<String, Integer> count(List<NodeStatus> nodes) {
    Map<String, Integer> counts = new LinkedHashMap<>();
    counts.put(NodeStatus.IN_SERVICE, 0);
    nodes.forEach(node -> counts.merge(node.state(), 1, Integer::sum));
    return counts;
  }

  /** Shows only those about which something is to be said. */
  FleetStatus withoutPlain() {
    return new FleetStatus(
        stopped, count, byState, nodes.stream().filter(node -> !node.isPlain()).toList(), notes);
  }

  FleetStatus mapNodes(UnaryOperator<NodeStatus> change) {
    return new FleetStatus(stopped, count, byState, nodes.stream().map(change).toList(), notes);
  }

  String summary() {
    String states =
        byState.entrySet().stream()
            .map(state -> state.getValue() + " " + state.getKey())
            .collect(Collectors.joining(", "));
    return "%d node%s: %s".formatted(count, count == 1 ? "" : "s", states);
  }
}
