package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.BlockReason;
import dev.drydock.drain.engine.decide.Blocker;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.drain.engine.decide.PodRef;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Remembers all that a drain told. */
final class RecordedReports implements DrainListener {
  final List<DrainReport> all = new CopyOnWriteArrayList<>();
  final List<Action> started = new CopyOnWriteArrayList<>();
  final List<String> granted = new CopyOnWriteArrayList<>();
  final List<PodRef> gone = new CopyOnWriteArrayList<>();

  @Override
  public void changed(DrainReport report) {
    all.add(report);
  }

  @Override
  public void started(Action action) {
    started.add(action);
  }

  @Override
  public void answered(Action action, EvictionAnswer answer) {
    if (answer instanceof EvictionAnswer.Accepted) {
      granted.add(action.target());
    }
  }

  @Override
  public void gone(PodRef pod) {
    gone.add(pod);
  }

  boolean blockedBy(BlockReason reason) {
    return !all.isEmpty()
        && all.getLast().decision().blockers().stream().anyMatch(b -> b.reason() == reason);
  }

  /** Of several nodes, whether this one is. */
  boolean blockedBy(BlockReason reason, String node) {
    return all.stream()
        .filter(report -> report.node().equals(node))
        .reduce((_, last) -> last)
        .filter(last -> last.decision().blockers().stream().anyMatch(b -> b.reason() == reason))
        .isPresent();
  }

  List<Blocker> blockers() {
    return all.isEmpty() ? List.of() : all.getLast().decision().blockers();
  }
}
