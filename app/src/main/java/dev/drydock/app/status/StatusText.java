package dev.drydock.app.status;

import dev.drydock.cli.Table;
import dev.drydock.cli.TextLines;
import dev.drydock.contracts.Ages;
import dev.drydock.serve.feature.Features;
import dev.drydock.serve.feature.HoldOwner;
import dev.drydock.serve.feature.StatusEntry;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/** The fleet as text for people: the andon cord on top, a row per node, the summary below. */
final class StatusText {
  private static final int WAITS_SHOWN = 3;

  private StatusText() {}

  /**
   * The lines of the status.
   *
   * @param width of the terminal; 0 if nothing is wrapped or cut
   */
  static List<String> lines(FleetStatus status, Instant now, int width, boolean wide) {
    List<String> lines = new ArrayList<>();
    if (status.stopped() != null) {
      lines.addAll(broken("STOPPED: nothing new starts: " + status.stopped(), width));
    }
    lines.addAll(table(status.nodes(), now, width, wide));
    lines.addAll(broken(status.summary(), width));
    return lines;
  }

  /** One node in a line, without a table. */
  static String line(NodeStatus node, Instant now) {
    List<String> parts = new ArrayList<>();
    parts.add("node/" + node.node() + " " + node.state());
    add(parts, "held by ", String.join(", ", node.holds()));
    add(
        parts,
        "maintenance ",
        node.maintenances().stream().map(StatusText::brief).collect(Collectors.joining(", ")));
    add(parts, "ETA ", eta(node, now));
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

  /** How much is shown of names. */
  private enum Detail {
    BRIEF,
    DEFAULT,
    WHOLE
  }

  /** With less of each maintenance if the columns would not fit. */
  private static List<String> table(List<NodeStatus> nodes, Instant now, int width, boolean wide) {
    if (nodes.isEmpty()) {
      return List.of();
    }
    List<String> lines = table(nodes, now, width, wide ? Detail.WHOLE : Detail.DEFAULT);
    boolean cut = lines.stream().anyMatch(line -> line.length() == width && line.endsWith("…"));
    return cut && !wide ? table(nodes, now, width, Detail.BRIEF) : lines;
  }

  private static List<String> table(List<NodeStatus> nodes, Instant now, int width, Detail detail) {
    List<String> headings =
        new ArrayList<>(List.of("NODE", "STATE", "HOLDS", "MAINTENANCE", "SINCE", "ETA"));
    if (detail == Detail.WHOLE) {
      headings.add("NO FORCE BEFORE");
    }
    headings.add("WAITS FOR");
    Table table = new Table(headings.toArray(String[]::new));
    for (NodeStatus node : nodes) {
      List<Object> cells = new ArrayList<>();
      cells.add(node.node());
      cells.add(node.state());
      cells.add(detail == Detail.WHOLE ? String.join(", ", node.holds()) : holds(node));
      cells.add(
          node.maintenances().stream()
              .map(task -> name(task, detail))
              .collect(Collectors.joining(", ")));
      cells.add(node.since() == null ? "" : Ages.between(node.since(), now));
      cells.add(eta(node, now));
      if (detail == Detail.WHOLE) {
        cells.add(node.deadline() == null ? "" : node.deadline());
      }
      cells.add(String.join("\n", width == 0 ? node.waitsFor() : shown(node.waitsFor())));
      table.row(cells.toArray());
    }
    return table.lines(width);
  }

  /** A maintenance and its drain both hold the node; the maintenance is shown beside. */
  private static String holds(NodeStatus node) {
    List<HoldOwner> owners = Features.load().holdOwners();
    Set<String> own =
        node.maintenances().stream()
            .flatMap(
                task -> owners.stream().map(owner -> owner.holder(task.namespace(), task.name())))
            .collect(Collectors.toSet());
    return node.holds().stream()
        .map(holder -> own.contains(holder) ? "maintenance" : holder)
        .distinct()
        .collect(Collectors.joining(", "));
  }

  private static String name(StatusEntry.Task task, Detail detail) {
    return switch (detail) {
      case BRIEF -> task.id();
      case DEFAULT -> brief(task);
      case WHOLE -> brief(task) + " " + task.namespace() + "/" + task.name();
    };
  }

  private static String brief(StatusEntry.Task task) {
    return task.maintenanceClass() == null
        ? task.id()
        : task.id() + " (" + task.maintenanceClass() + ")";
  }

  private static String eta(NodeStatus node, Instant now) {
    Instant end = node.heldUntil();
    return end == null ? Objects.toString(node.eta(), "") : "in " + Ages.between(now, end);
  }
}
