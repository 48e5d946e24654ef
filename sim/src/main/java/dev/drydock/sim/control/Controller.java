package dev.drydock.sim.control;

import dev.drydock.sim.store.ObjectKey;
import dev.drydock.sim.store.StoredEvent;

/**
 * One that answers changes. It first hears of every change, and notes on its {@link WorkQueue} what
 * it must look at; it looks when all has been told, so that it sees the cluster as it is.
 */
public interface Controller {
  void changed(StoredEvent event);

  /** Looks at what it noted down, and does what is to be done. */
  default void look(ObjectKey key) {}
}
