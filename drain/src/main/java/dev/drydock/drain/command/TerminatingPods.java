package dev.drydock.drain.command;

import dev.drydock.drain.engine.DrainListener;
import dev.drydock.drain.engine.DrainReport;
import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.drain.engine.decide.PodRef;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Tracks pods whose eviction or deletion was accepted and that still exist; forwards all calls. */
final class TerminatingPods implements DrainListener {
  private final DrainListener next;
  private final Set<PodRef> going = new ConcurrentSkipListSet<>();

  TerminatingPods(DrainListener next) {
    this.next = next;
  }

  Collection<PodRef> stillThere() {
    return List.copyOf(going);
  }

  @Override
  public void changed(DrainReport report) {
    next.changed(report);
  }

  @Override
  public void started(Action action) {
    if (action instanceof Action.OnPod onPod) {
      going.add(onPod.pod());
    }
    next.started(action);
  }

  @Override
  public void answered(Action action, EvictionAnswer answer) {
    if (action instanceof Action.OnPod onPod && answer instanceof EvictionAnswer.Refusal) {
      going.remove(onPod.pod());
    }
    next.answered(action, answer);
  }

  @Override
  public void gone(PodRef pod) {
    going.remove(pod);
    next.gone(pod);
  }
}
