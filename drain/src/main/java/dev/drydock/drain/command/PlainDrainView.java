package dev.drydock.drain.command;

import dev.drydock.cli.Terminal;
import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.DrainReport;
import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.Decision;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.PodRef;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Plain lines in kubectl's wording, for logs and pipes; a blocker is printed when it appears. */
final class PlainDrainView implements DrainView {
  private final Terminal terminal;

  PlainDrainView(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public DrainListener listener(String node, boolean cordonedBefore) {
    return new Lines(node, cordonedBefore);
  }

  @Override
  public void ended(DrainOutcome outcome, String line) {
    if (outcome.end() == DrainOutcome.End.DONE) {
      out(line);
    } else {
      err("error: " + line);
    }
  }

  @Override
  public void close() {}

  private synchronized void out(String line) {
    terminal.out().println(line);
  }

  private synchronized void err(String line) {
    terminal.err().println(line);
  }

  private final class Lines implements DrainListener {
    private final String node;
    private final boolean cordonedBefore;
    private final Set<String> told = new HashSet<>();
    private final Set<String> warned = new HashSet<>();
    private final Set<PodRef> deleted = new HashSet<>();
    private boolean cordonTold;

    Lines(String node, boolean cordonedBefore) {
      this.node = node;
      this.cordonedBefore = cordonedBefore;
    }

    @Override
    public synchronized void changed(DrainReport report) {
      Decision decision = report.decision();
      List<Blocker> blockers = decision.blockers();
      if (blockers.stream().anyMatch(blocker -> blocker.reason() == BlockReason.NOT_OBSERVED)) {
        return; // it has not read the state yet, or reads it again
      }
      tellCordon();
      DrainWarnings.notToldYet(decision, warned).forEach(line -> err("Warning: " + line));
      if (decision.status() == Decision.Status.BLOCKED
          || decision.status() == Decision.Status.DRAINING) {
        tellBlockers(blockers);
      }
    }

    private void tellBlockers(List<Blocker> blockers) {
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
      if (!cordonTold) {
        cordonTold = true;
        out("node/" + node + (cordonedBefore ? " already cordoned" : " cordoned"));
      }
    }

    @Override
    public synchronized void started(Action action) {
      tellCordon(); // nothing is sent before
      if (!(action instanceof Action.Evict) && action instanceof Action.OnPod onPod) {
        deleted.add(onPod.pod());
      }
      switch (action) {
        case Action.Evict evict -> {
          if (!evict.probe()) { // only a retry, and the blocker was printed already
            out("evicting pod " + evict.pod());
          }
        }
        case Action.Delete delete -> out("deleting pod " + delete.pod());
        case Action.ForceDelete delete -> out("deleting pod " + delete.pod() + " without grace");
        case Action.TaintOutOfService taint ->
            out("tainting node/" + taint.node() + " out-of-service");
      }
    }

    @Override
    public synchronized void gone(PodRef pod) {
      out("pod/" + pod.name() + (deleted.contains(pod) ? " deleted" : " evicted"));
    }
  }
}
