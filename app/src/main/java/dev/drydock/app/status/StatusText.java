package dev.drydock.app.status;

import dev.drydock.app.drain.Ages;
import dev.drydock.cli.Table;
import dev.drydock.cli.TextLines;
import dev.drydock.drain.decide.Hold;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The fleet for a person: the cord on top, a row per node, the sum below. */
final class StatusText {
  private static final int WAITS_SHOWN = 3;

  private StatusText() {}

  /**
   * Lines that fit.
   *
   * @param width of the terminal; 0 where nothing is broken or cut
   */
  static List<String> lines(FleetStatus status, Instant now, int width, boolean wide) {
    List<String> lines = new ArrayList<>();
    if (status.stopped() != null) {
      lines.addAll(broken("STOPPED: nothing new begins: " + status.stopped(), width));
    }
    lines.addAll(table(status.nodes(), now, width, wide));
    lines.addAll(broken(status.summary(), width));
    return lines;
  }

  /** One node in a line, where there is no table to stand in. */
  static String line(NodeStatus node, Instant now) {
    List<String> parts = new ArrayList<>();
    parts.add("node/" + node.node() + " " + node.state());
    add(parts, "held by ", String.join(", ", node.holds()));
    add(
        parts,
        "maintenance ",
        node.maintenances().stream().map(StatusText::brief).collect(Collectors.joining(", ")));
    add(parts, "ETA ", eta(node.eta(), now));
    add(parts, "waits: ", String.join("; ", node.waitsFor()));
    return String.join("; ", parts);
  }

  private static void add(List<String> parts, String name, String value) {
    if (!value.isEmpty()) {
      parts.add(name + value);
    }
  }

  private static List<String> shown(List<String> waits) {
    if (waits.size() <= WAITS_SHOWN) {
      return waits;
    }
    List<String> some = new ArrayList<>(waits.subList(0, WAITS_SHOWN));
    some.add("… and " + (waits.size() - WAITS_SHOWN) + " more");
    return some;
  }

  private static List<String> broken(String text, int width) {
    return width == 0 ? List.of(text) : TextLines.wrap(text, "", width);
  }

  private static List<String> table(List<NodeStatus> nodes, Instant now, int width, boolean wide) {
    if (nodes.isEmpty()) {
      return List.of();
    }
    Table table =
        wide
            ? new Table(
                "NODE",
                "STATE",
                "HOLDS",
                "MAINTENANCE",
                "SINCE",
                "ETA",
                "GENTLE UNTIL",
                "WAITS FOR")
            : new Table("NODE", "STATE", "HOLDS", "MAINTENANCE", "SINCE", "ETA", "WAITS FOR");
    for (NodeStatus node : nodes) {
      List<Object> cells = new ArrayList<>();
      cells.add(node.node());
      cells.add(node.state());
      cells.add(holds(node.holds(), wide));
      cells.add(
          node.maintenances().stream()
              .map(task -> wide ? whole(task) : brief(task))
              .collect(Collectors.joining(", ")));
      cells.add(node.since() == null ? "" : Ages.between(node.since(), now));
      cells.add(eta(node.eta(), now));
      if (wide) {
        cells.add(node.deadline() == null ? "" : node.deadline());
      }
      cells.add(String.join("\n", width == 0 ? node.waitsFor() : shown(node.waitsFor())));
      table.row(cells.toArray());
    }
    return table.lines(width);
  }

  /** That a maintenance holds its own node needs no long name: it stands beside it. */
  private static String holds(List<String> holders, boolean wide) {
    return holders.stream()
        .map(holder -> wide ? holder : kind(holder))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static String kind(String holder) {
    if (holder.startsWith(Hold.MAINTENANCE_PREFIX)) {
      return "maintenance";
    }
    return holder.startsWith("drainrequest/") ? "drainrequest" : holder;
  }

  private static String brief(NodeStatus.Task task) {
    return task.maintenanceClass() == null
        ? task.id()
        : task.id() + " (" + task.maintenanceClass() + ")";
  }

  private static String whole(NodeStatus.Task task) {
    return brief(task) + " " + task.namespace() + "/" + task.name();
  }

  private static String eta(@Nullable String eta, Instant now) {
    if (eta == null) {
      return "";
    }
    return eta.startsWith(NodeStatus.UNTIL)
        ? "in " + Ages.between(now, Instant.parse(eta.substring(NodeStatus.UNTIL.length())))
        : eta;
  }
}
