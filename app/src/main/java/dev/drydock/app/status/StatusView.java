package dev.drydock.app.status;

import dev.drydock.cli.LiveText;
import dev.drydock.cli.OutputFormat;
import dev.drydock.cli.OutputOption;
import dev.drydock.cli.Terminal;
import dev.drydock.cli.TextLines;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Shows the fleet once, or repeatedly. On a terminal the new text replaces the old; elsewhere only
 * changes are printed.
 */
final class StatusView {
  /** How often ages are refreshed. */
  static final Duration REFRESH = Duration.ofSeconds(5);

  private final Terminal terminal;
  private final LiveText screen;
  private final OutputOption output;
  private final Clock clock;
  private final Map<String, NodeStatus> told = new HashMap<>();
  private @Nullable FleetStatus last;

  StatusView(Terminal terminal, OutputOption output, Clock clock) {
    this.terminal = terminal;
    this.screen = new LiveText(terminal);
    this.output = output;
    this.clock = clock;
  }

  /** Whether the output is no longer read. */
  boolean isLost() {
    return terminal.outLost();
  }

  void once(FleetStatus status) {
    output.print(
        terminal,
        status,
        wide -> {
          lines(status, wide).forEach(terminal.out()::println);
          note(status);
        });
  }

  private List<String> lines(FleetStatus status, boolean wide) {
    return StatusText.lines(
        status, clock.instant(), terminal.liveOut() ? terminal.columns() - 1 : 0, wide);
  }

  private void note(FleetStatus status) {
    status.notes().forEach(note -> TextLines.printError(terminal, "Note: " + note));
  }

  void again(FleetStatus status) {
    output.choose(terminal, wide -> text(status, wide), format -> objects(status, format));
  }

  private void text(FleetStatus status, boolean wide) {
    List<String> lines = new ArrayList<>(lines(status, wide));
    if (terminal.liveOut()) {
      status
          .notes()
          .forEach(
              note ->
                  lines.addAll(TextLines.hanging("Note: " + note, "  ", terminal.columns() - 1)));
      screen.show(lines);
      return;
    }
    FleetStatus before = last;
    last = status;
    List<NodeStatus> changed = changed(status);
    if (before == null) {
      lines.forEach(terminal.out()::println);
      note(status);
      return;
    }
    if (!Objects.equals(before.stopped(), status.stopped())) {
      terminal.out().println(status.stopped() == null ? "resumed" : "STOPPED: " + status.stopped());
    }
    changed.forEach(node -> terminal.out().println(StatusText.line(node, clock.instant())));
  }

  private void objects(FleetStatus status, OutputFormat format) {
    changed(status).forEach(node -> terminal.out().print(OutputOption.text(format, node)));
  }

  /** Nodes that are new or changed, and those that are no longer shown. */
  private List<NodeStatus> changed(FleetStatus status) {
    Map<String, NodeStatus> now = new HashMap<>();
    status.nodes().forEach(node -> now.put(node.node(), node));
    List<NodeStatus> changed =
        new ArrayList<>(
            status.nodes().stream().filter(node -> !node.equals(told.get(node.node()))).toList());
    told.keySet().stream()
        .filter(name -> !now.containsKey(name))
        .sorted()
        .forEach(name -> changed.add(NodeStatus.plain(name)));
    told.clear();
    told.putAll(now);
    return changed;
  }
}
