package dev.drydock.drain.command;

import dev.drydock.cli.Terminal;
import dev.drydock.cli.TextLines;
import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** On a terminal: a progress bar per node with its blockers below; finished nodes scroll away. */
final class LiveDrainView implements DrainView {
  private static final int BAR = 20;
  private static final int BLOCKERS_SHOWN = 2;

  /** More lines would scroll out of a small window and could not be cleared. */
  private static final int LINES_SHOWN = 20;

  private static final long FRAME_MILLIS = 100;

  private final Terminal terminal;
  private final Map<String, Decision> running = new LinkedHashMap<>();
  private final ScheduledExecutorService ticker =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("display").factory());
  private int linesShown;
  private boolean changed;

  LiveDrainView(Terminal terminal) {
    this.terminal = terminal;
    var _ =
        ticker.scheduleAtFixedRate(this::draw, FRAME_MILLIS, FRAME_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public DrainListener listener(String node, boolean cordonedBefore) {
    Set<String> warned = new HashSet<>();
    return report -> show(node, report.decision(), warned);
  }

  private synchronized void show(String node, Decision decision, Set<String> warned) {
    List<String> warnings = DrainWarnings.notToldYet(decision, warned);
    if (!warnings.isEmpty()) {
      clear();
      warnings.forEach(line -> terminal.out().println("Warning: " + line));
    }
    running.put(node, decision);
    changed = true;
  }

  @Override
  public synchronized void ended(DrainOutcome outcome, String line) {
    clear();
    running.remove(outcome.node());
    if (outcome.end() == DrainOutcome.End.DONE) {
      terminal
          .out()
          .println("✓ %s in %.1f s".formatted(line, outcome.elapsed().toMillis() / 1000.0));
    } else {
      terminal.out().println("✗ node/" + outcome.node());
      terminal.out().flush();
      terminal.err().println("error: " + line);
      terminal.err().flush();
    }
    changed = true;
    draw();
  }

  @Override
  public void close() {
    ticker.shutdownNow();
    synchronized (this) {
      clear();
      terminal.out().flush();
    }
  }

  private synchronized void draw() {
    if (!changed) {
      return;
    }
    changed = false;
    clear();
    List<String> lines = lines();
    lines.forEach(terminal.out()::println);
    linesShown = lines.size();
    terminal.out().flush();
  }

  /** Moves to the first drawn line and clears everything below. */
  private void clear() {
    if (linesShown > 0) {
      terminal.controlOut("\u001b[" + linesShown + "A\u001b[J");
      linesShown = 0;
    }
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
