package dev.drydock.drain.kube;

import dev.drydock.drain.decide.Action;
import dev.drydock.drain.decide.EvictionAnswer;
import dev.drydock.drain.decide.PodRef;

/** Hears how a drain goes, on threads of the engine; it should return soon. */
public interface DrainListener {
  DrainListener NONE = report -> {};

  /** Something changed: progress, blockers, status. */
  void changed(DrainReport report);

  /** A request is about to be sent. */
  default void started(Action action) {}

  default void answered(Action action, EvictionAnswer answer) {}

  /** A pod that had to go exists no more. */
  default void gone(PodRef pod) {}
}
