package dev.drydock.demo;

import dev.drydock.drain.hold.decide.Holds;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A row of the table: one node or several.
 *
 * @param pods how many of each application
 */
record NodeRow(
    String name, String zone, long gpus, String service, String heldBy, Map<String, Long> pods) {

  NodeRow {
    pods = Collections.unmodifiableMap(new TreeMap<>(pods)); // always in the same order
  }

  static NodeRow of(Node node, List<Pod> pods, @Nullable Holds holds) {
    Quantity gpus = node.getStatus().getCapacity().get(DemoClusterView.GPU);
    return new NodeRow(
        node.getMetadata().getName(),
        node.getMetadata().getLabels().getOrDefault(DemoClusterView.ZONE, ""),
        gpus == null ? 0 : Long.parseLong(gpus.getAmount()),
        DemoClusterView.service(node),
        holds == null ? "" : String.join(", ", holds.byHolder().keySet()),
        pods.stream().collect(Collectors.groupingBy(DemoClusterView::app, Collectors.counting())));
  }

  static NodeRow sum(String name, List<NodeRow> nodes) {
    Map<String, Long> pods = new HashMap<>();
    nodes.forEach(node -> node.pods.forEach((app, count) -> pods.merge(app, count, Long::sum)));
    return new NodeRow(
        name,
        all(nodes, NodeRow::zone),
        nodes.stream().mapToLong(NodeRow::gpus).sum(),
        all(nodes, NodeRow::service),
        all(nodes, NodeRow::heldBy),
        pods);
  }

  private static String all(List<NodeRow> nodes, Function<NodeRow, String> fact) {
    return nodes.stream()
        .map(fact)
        .filter(each -> !each.isEmpty())
        .distinct()
        .sorted()
        .collect(Collectors.joining(", "));
  }

  /** In service, and without holds. */
  boolean isPlain() {
    return service.equals(DemoClusterView.IN_SERVICE) && heldBy.isEmpty();
  }

  String podsInWords() {
    return pods.entrySet().stream()
        .map(each -> each.getValue() == 1 ? each.getKey() : each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }
}
