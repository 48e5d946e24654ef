package dev.drydock.sim.control;

import dev.drydock.sim.api.Registry;
import dev.drydock.sim.store.StoredEvent;
import java.time.Clock;
import java.util.List;

/**
 * The controllers that make the cluster believable. Each answers a change at once, before anybody
 * can see the cluster without its answer: the same calls give the same cluster in every run.
 */
public final class Controllers {
  /** Answers changes. */
  interface Controller {
    void changed(StoredEvent event);

    /** Time has passed, which may change things too. */
    default void timePassed() {}
  }

  private final Registry registry;
  private final List<Controller> controllers;

  public Controllers(Registry registry, Clock clock) {
    this.registry = registry;
    controllers =
        List.of(
            new DefinitionController(registry, clock),
            new NamespaceController(registry),
            new GarbageCollector(registry),
            new DisruptionController(registry, clock));
    controllers.forEach(controller -> registry.store().listen(controller::changed));
  }

  /** To be called now and then, and whenever the clock was moved. */
  public void timePassed() {
    registry
        .store()
        .write(
            () -> {
              controllers.forEach(Controller::timePassed);
              return true;
            });
  }
}
