package dev.drydock.app.status;

import static java.util.stream.Collectors.groupingBy;

import dev.drydock.drain.engine.decide.NaturalOrder;
import dev.drydock.serve.feature.StatusEntry;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The status of all nodes.
 *
 * @param stopped why nothing new may start, if the andon cord is pulled
 * @param count the number of nodes considered
 * @param byState how many are in each state, those in service first
 * @param nodes those that are shown
 * @param notes what could not be read, and why
 */
record FleetStatus(
    @Nullable String stopped,
    int count,
    Map<String, Integer> byState,
    List<NodeStatus> nodes,
    List<String> notes) {

  /** The status of all nodes, by state, in display order. */
  static FleetStatus of(StatusSnapshot snapshot) {
    Map<String, List<StatusEntry>> entries =
        snapshot.entries().stream().collect(groupingBy(StatusEntry::node));
    List<NodeStatus> nodes =
        snapshot.nodes().stream()
            .sorted(Comparator.comparing(NodeSnapshot::name, NaturalOrder.INSTANCE))
            .map(node -> NodeStatus.of(node, entries.getOrDefault(node.name(), List.of())))
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

  /** Shows only nodes that are not simply in service. */
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
