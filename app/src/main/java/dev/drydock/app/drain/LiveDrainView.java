package dev.drydock.app.drain;

import dev.drydock.cli.Terminal;
import dev.drydock.drain.decide.BlockReason;
import dev.drydock.drain.decide.Blocker;
import dev.drydock.drain.decide.Decision;
import dev.drydock.drain.kube.DrainListener;
import dev.drydock.drain.kube.DrainOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * On a terminal: a bar per node that moves, with what holds it up below; ended nodes scroll away.
 */
final class LiveDrainView implements DrainView {
  private static final int BAR = 20;
  private static final int NODES_SHOWN = 12;
  private static final int BLOCKERS_SHOWN = 2;
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
  public DrainListener listener(String node) {
    return report -> show(node, report.decision());
  }

  private synchronized void show(String node, Decision decision) {
    running.put(node, decision);
    changed = true;
  }

  @Override
  public synchronized void ended(DrainOutcome outcome) {
    clear();
    running.remove(outcome.node());
    double seconds = outcome.elapsed().toMillis() / 1000.0;
    String line =
        outcome.end() == DrainOutcome.End.DONE
            ? "✓ node/%s drained in %.1f s".formatted(outcome.node(), seconds)
            : "✗ node/%s was not drained: %s".formatted(outcome.node(), outcome.message());
    terminal.out().println(line);
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
    lines.forEach(line -> terminal.out().println(cut(line)));
    linesShown = lines.size();
    terminal.out().flush();
  }

  /** Back to the first line that was drawn, and away with all below. */
  private void clear() {
    if (linesShown > 0) {
      terminal.out().print("\u001b[" + linesShown + "A\u001b[J");
      linesShown = 0;
    }
  }

  private List<String> lines() {
    List<String> lines = new ArrayList<>();
    running.entrySet().stream()
        .limit(NODES_SHOWN)
        .forEach(
            entry -> {
              lines.add(bar(entry.getKey(), entry.getValue()));
              entry.getValue().blockers().stream()
                  .filter(blocker -> blocker.reason() != BlockReason.BUDGET_TURN)
                  .limit(BLOCKERS_SHOWN)
                  .map(Blocker::line)
                  .forEach(line -> lines.add("    " + line));
            });
    if (running.size() > NODES_SHOWN) {
      lines.add("… and " + (running.size() - NODES_SHOWN) + " more nodes");
    }
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

  private String cut(String line) {
    int width = terminal.columns() - 1;
    return line.length() <= width ? line : line.substring(0, Math.max(0, width - 1)) + "…";
  }
}
