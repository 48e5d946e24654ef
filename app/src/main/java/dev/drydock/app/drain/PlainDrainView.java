package dev.drydock.app.drain;

import dev.drydock.cli.Terminal;
import dev.drydock.drain.decide.Action;
import dev.drydock.drain.decide.BlockReason;
import dev.drydock.drain.decide.Blocker;
import dev.drydock.drain.decide.PodRef;
import dev.drydock.drain.kube.DrainListener;
import dev.drydock.drain.kube.DrainOutcome;
import dev.drydock.drain.kube.DrainReport;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Plain lines in kubectl's words, for logs and pipes; a blocker is told when it appears. */
final class PlainDrainView implements DrainView {
  private final Terminal terminal;

  PlainDrainView(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public DrainListener listener(String node) {
    return new Lines(node);
  }

  @Override
  public void ended(DrainOutcome outcome) {
    switch (outcome.end()) {
      case DONE -> out("node/" + outcome.node() + " drained");
      case REFUSED, FAILED, CANCELLED ->
          err("error: node/" + outcome.node() + " was not drained: " + outcome.message());
    }
  }

  @Override
  public void close() {
    terminal.out().flush();
  }

  private synchronized void out(String line) {
    terminal.out().println(line);
    terminal.out().flush();
  }

  private synchronized void err(String line) {
    terminal.err().println(line);
    terminal.err().flush();
  }

  private final class Lines implements DrainListener {
    private final String node;
    private final Set<String> told = new HashSet<>();
    private boolean cordoned;

    Lines(String node) {
      this.node = node;
    }

    @Override
    public synchronized void changed(DrainReport report) {
      List<Blocker> blockers = report.decision().blockers();
      if (blockers.stream().anyMatch(blocker -> blocker.reason() == BlockReason.NOT_OBSERVED)) {
        return; // it has only begun to look, or looks again
      }
      tellCordon();
      Set<String> now = new HashSet<>();
      for (Blocker blocker : blockers) {
        String cause = blocker.reason() + " " + blocker.names();
        now.add(cause);
        if (blocker.reason() != BlockReason.BUDGET_TURN && !told.contains(cause)) {
          err("node/" + node + " waits: " + blocker.line());
        }
      }
      told.clear();
      told.addAll(now);
    }

    private void tellCordon() {
      if (!cordoned) {
        cordoned = true;
        out("node/" + node + " cordoned");
      }
    }

    @Override
    public synchronized void started(Action action) {
      tellCordon(); // nothing is sent before
      switch (action) {
        case Action.Evict evict -> out("evicting pod " + evict.pod());
        case Action.Delete delete -> out("deleting pod " + delete.pod());
        case Action.ForceDelete delete -> out("deleting pod " + delete.pod() + " without grace");
        case Action.TaintOutOfService taint ->
            out("tainting node/" + taint.node() + " out-of-service");
      }
    }

    @Override
    public void gone(PodRef pod) {
      out("pod/" + pod.name() + " evicted");
    }
  }
}
