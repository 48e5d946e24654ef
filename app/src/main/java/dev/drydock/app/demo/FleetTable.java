package dev.drydock.app.demo;

import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.decide.Holds;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The nodes, what runs on them, and who holds them. */
final class FleetTable {
  private FleetTable() {}

  static List<String> of(Fleet fleet) {
    Map<String, Holds> holds = fleet.holds();
    Map<String, List<Pod>> pods =
        fleet.pods().stream()
            .filter(pod -> pod.getSpec().getNodeName() != null)
            .collect(Collectors.groupingBy(pod -> pod.getSpec().getNodeName()));
    Table table = new Table("NODE", "ZONE", "GPUS", "SERVICE", "PODS", "HELD BY");
    fleet.nodes().stream()
        .sorted(Comparator.comparing(node -> node.getMetadata().getName()))
        .forEach(
            node -> {
              String name = node.getMetadata().getName();
              table.row(
                  name,
                  node.getMetadata().getLabels().getOrDefault(Fleet.ZONE, ""),
                  gpus(node),
                  Boolean.TRUE.equals(node.getSpec().getUnschedulable()) ? "out" : "in",
                  counts(pods.getOrDefault(name, List.of())),
                  holders(holds, name));
            });
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    table.print(new Terminal(writer, writer, false, false, 0));
    return text.toString().lines().toList();
  }

  private static String holders(Map<String, Holds> holds, String node) {
    Holds held = holds.get(node);
    return held == null ? "" : String.join(", ", held.byHolder().keySet());
  }

  private static String gpus(Node node) {
    Quantity gpus = node.getStatus().getCapacity().get(Fleet.GPU);
    return gpus == null ? "" : gpus.getAmount();
  }

  private static String counts(List<Pod> pods) {
    Map<String, Long> byApp =
        pods.stream()
            .collect(Collectors.groupingBy(Fleet::app, TreeMap::new, Collectors.counting()));
    return byApp.entrySet().stream()
        .map(each -> each.getValue() == 1 ? each.getKey() : each.getValue() + " " + each.getKey())
        .collect(Collectors.joining(", "));
  }
}
