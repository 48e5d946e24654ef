package dev.drydock.drain.command;

import dev.drydock.cli.LiveText;
import dev.drydock.cli.Terminal;
import dev.drydock.cli.TextLines;
import dev.drydock.cli.Ticker;
import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** On a terminal: a progress bar per node with its blockers below; finished nodes scroll away. */
final class LiveDrainView implements DrainView {
  private static final int BAR = 20;
  private static final int BLOCKERS_SHOWN = 2;

  /** More lines would scroll out of a small window and could not be cleared. */
  private static final int LINES_SHOWN = 20;

  private static final Duration FRAME = Duration.ofMillis(100);

  private final Terminal terminal;
  private final Map<String, Decision> running = new LinkedHashMap<>();
  private final Ticker ticker;
  private final LiveText screen;
  private boolean changed;

  LiveDrainView(Terminal terminal) {
    this.terminal = terminal;
    screen = new LiveText(terminal);
    ticker = new Ticker("display", FRAME, this::draw);
  }

  @Override
  public DrainListener listener(String node, boolean cordonedBefore) {
    Set<String> warned = new HashSet<>();
    return report -> show(node, report.decision(), warned);
  }

  private synchronized void show(String node, Decision decision, Set<String> warned) {
    List<String> warnings = DrainWarnings.notToldYet(decision, warned);
    if (!warnings.isEmpty()) {
      screen.clear();
      warnings.forEach(line -> terminal.out().println("Warning: " + line));
    }
    running.put(node, decision);
    changed = true;
  }

  @Override
  public synchronized void ended(DrainOutcome outcome, String line) {
    screen.clear();
    running.remove(outcome.node());
    if (outcome.end() == DrainOutcome.End.DONE) {
      terminal
          .out()
          .println("✓ %s in %.1f s".formatted(line, outcome.elapsed().toMillis() / 1000.0));
    } else {
      terminal.out().println("✗ node/" + outcome.node());
      terminal.err().println("error: " + line);
    }
    changed = true;
    draw();
  }

  @Override
  public void close() {
    ticker.close();
    synchronized (this) {
      screen.clear();
      terminal.out().flush();
    }
  }

  private synchronized void draw() {
    if (!changed) {
      return;
    }
    changed = false;
    screen.show(lines());
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    int shown = 0;
    for (Map.Entry<String, Decision> entry : running.entrySet()) {
      List<String> ofNode = lines(entry.getKey(), entry.getValue());
      if (lines.size() + ofNode.size() >= LINES_SHOWN) {
        break;
      }
      lines.addAll(ofNode);
      shown++;
    }
    if (shown < running.size()) {
      lines.add("… and " + (running.size() - shown) + " more nodes");
    }
    return lines;
  }

  private List<String> lines(String node, Decision decision) {
    int width = terminal.columns() - 1;
    if (decision.progress().gone() + decision.progress().stopping() == 0
        && decision.blockers().stream().anyMatch(b -> b.reason() == BlockReason.NOT_OBSERVED)) {
      return List.of(TextLines.cut(node + "  reading the node", width));
    }
    List<String> lines = new ArrayList<>();
    lines.add(TextLines.cut(bar(node, decision), width));
    decision.blockers().stream()
        .filter(blocker -> blocker.reason() != BlockReason.BUDGET_TURN)
        .limit(BLOCKERS_SHOWN)
        .forEach(blocker -> lines.addAll(TextLines.wrap(blocker.line(), "    ", width)));
    return lines;
  }

  static String bar(String node, Decision decision) {
    Decision.Progress progress = decision.progress();
    int full = progress.total() == 0 ? 0 : BAR * progress.gone() / progress.total();
    return "%s  %s%s  %d/%d gone, %d stopping  ETA %s"
        .formatted(
            node,
            "█".repeat(full),
            "░".repeat(BAR - full),
            progress.gone(),
            progress.total(),
            progress.stopping(),
            decision.eta());
  }
}
