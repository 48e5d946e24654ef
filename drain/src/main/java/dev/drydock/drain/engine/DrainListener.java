package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.EvictionAnswer;
import dev.drydock.drain.engine.decide.PodRef;

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
