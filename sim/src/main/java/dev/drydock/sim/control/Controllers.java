package dev.drydock.sim.control;

import dev.drydock.kube.time.Timers;
import dev.drydock.sim.api.Registry;
import java.time.Clock;

/**
 * The controllers that make the cluster believable. Each answers a change at once, before anybody
 * can see the cluster without its answer: the same calls give the same cluster in every run. Those
 * that belong to the API itself are always there.
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

  /** From now on it hears of every change. */
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

  /** To be called whenever a clock was moved that nobody else watches. */
  public void timePassed() {
    timers.runDue();
  }
}
