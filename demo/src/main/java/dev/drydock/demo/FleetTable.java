package dev.drydock.demo;

import dev.drydock.cli.Table;
import dev.drydock.cli.Terminal;
import dev.drydock.drain.hold.decide.Holds;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The table of nodes, their pods and their holders. */
final class FleetTable {
  /** In narrower terminals zone and GPUs are left out; the node names show as much. */
  private static final int WIDE = 100;

  /** A table with fewer rows is not shown. */
  private static final int LOWEST = 4;

  private FleetTable() {}

  /** The complete table. */
  static List<String> of(DemoClusterView view) {
    return of(view, Integer.MAX_VALUE, Integer.MAX_VALUE);
  }

  /** The table, as much of it as fits into these columns and rows. */
  static List<String> of(DemoClusterView view, int columns, int rows) {
    Map<String, Holds> holds = view.holds();
    Map<String, List<Pod>> pods =
        view.pods().stream()
            .filter(pod -> pod.getSpec().getNodeName() != null)
            .collect(Collectors.groupingBy(pod -> pod.getSpec().getNodeName()));
    List<NodeRow> nodes =
        view.nodes().stream()
            .map(
                node -> {
                  String name = node.getMetadata().getName();
                  return NodeRow.of(node, pods.getOrDefault(name, List.of()), holds.get(name));
                })
            .sorted(Comparator.comparing(NodeRow::name))
            .toList();
    return lines(nodes, columns, rows);
  }

  /** If not all nodes fit, those in service are summarized; empty if there is too little room. */
  static List<String> lines(List<NodeRow> nodes, int columns, int rows) {
    if (nodes.size() < rows) {
      return print(nodes, columns);
    }
    if (rows < LOWEST) {
      return List.of();
    }
    List<NodeRow> special = nodes.stream().filter(node -> !node.isPlain()).toList();
    List<NodeRow> sums = sums(nodes.stream().filter(NodeRow::isPlain).toList(), rows);
    int room = rows - 1 - sums.size();
    List<NodeRow> shown = new ArrayList<>(special);
    if (special.size() > room) {
      List<NodeRow> rest = special.subList(room - 1, special.size());
      shown = new ArrayList<>(special.subList(0, room - 1));
      shown.add(NodeRow.sum(rest.size() + " more", rest));
    }
    shown.addAll(sums);
    return print(shown, columns);
  }

  /** One row per zone, if that leaves room for two single nodes. */
  private static List<NodeRow> sums(List<NodeRow> plain, int rows) {
    Map<String, List<NodeRow>> byZone =
        plain.stream()
            .collect(Collectors.groupingBy(NodeRow::zone, TreeMap::new, Collectors.toList()));
    if (byZone.size() + 3 <= rows) {
      return byZone.entrySet().stream()
          .map(
              zone -> NodeRow.sum(zone.getValue().size() + " in " + zone.getKey(), zone.getValue()))
          .toList();
    }
    return List.of(NodeRow.sum(plain.size() + " others", plain));
  }

  private static List<String> print(List<NodeRow> nodes, int columns) {
    boolean wide = columns >= WIDE;
    Table table =
        wide
            ? new Table("NODE", "ZONE", "GPUS", "SERVICE", "HELD BY", "PODS")
            : new Table("NODE", "SERVICE", "HELD BY", "PODS");
    for (NodeRow node : nodes) {
      String gpus = node.gpus() == 0 ? "" : "" + node.gpus();
      if (wide) {
        table.row(
            node.name(), node.zone(), gpus, node.service(), node.heldBy(), node.podsInWords());
      } else {
        table.row(node.name(), node.service(), node.heldBy(), node.podsInWords());
      }
    }
    StringWriter text = new StringWriter();
    PrintWriter writer = new PrintWriter(text);
    table.print(new Terminal(writer, writer, false, false, 0, 0));
    return text.toString().lines().toList();
  }
}
