package dev.drydock.sim.control;

import dev.drydock.kube.time.Timers;
import dev.drydock.sim.api.Registry;
import java.time.Clock;

/**
 * The controllers of the cluster. Each reacts to a change at once, before anybody can see the
 * cluster without the reaction, so the same calls give the same cluster in every run. Controllers
 * that belong to the API itself are always included.
 */
public final class Controllers {
  private final Registry registry;
  private final Timers timers;
  private final WorkQueue queue;
  private final ClusterIndex index;
  private final ControllerClient client;

  public Controllers(Registry registry, Clock clock, Timers timers) {
    this.registry = registry;
    this.timers = timers;
    this.queue = new WorkQueue(registry.store(), timers);
    this.index = new ClusterIndex(registry.store());
    this.client = new ControllerClient(registry, clock);
    add(new DefinitionController(registry, clock));
    add(new NamespaceController(registry, queue));
    add(new GarbageCollector(registry, queue));
    add(new DisruptionController(registry, client, queue));
  }

  /** Adds a controller, which is notified of every change from now on. */
  public void add(Controller controller) {
    registry.store().listen(controller::changed);
  }

  public WorkQueue queue() {
    return queue;
  }

  public ClusterIndex index() {
    return index;
  }

  public ControllerClient client() {
    return client;
  }

  /** Call this after moving a clock that nothing else watches. */
  public void timePassed() {
    timers.runDue();
  }
}
