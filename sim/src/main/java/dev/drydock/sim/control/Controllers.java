package dev.drydock.sim.control;

import dev.drydock.sim.api.Registry;
import dev.drydock.sim.time.Timers;
import java.time.Clock;

/**
 * The controllers that make the cluster believable. Each answers a change at once, before anybody
 * can see the cluster without its answer: the same calls give the same cluster in every run. Those
 * that belong to the API itself are always there.
 */
public final class Controllers {
  private final Registry registry;
  private final Timers timers;
  private final Agenda agenda;
  private final ClusterIndex index;
  private final Writes writes;

  public Controllers(Registry registry, Clock clock, Timers timers) {
    this.registry = registry;
    this.timers = timers;
    this.agenda = new Agenda(registry.store(), timers);
    this.index = new ClusterIndex(registry.store());
    this.writes = new Writes(registry, clock);
    add(new DefinitionController(registry, clock));
    add(new NamespaceController(registry, agenda));
    add(new GarbageCollector(registry, agenda));
    add(new DisruptionController(registry, writes, agenda));
  }

  /** From now on it hears of every change. */
  public void add(Controller controller) {
    registry.store().listen(controller::changed);
  }

  public Agenda agenda() {
    return agenda;
  }

  public ClusterIndex index() {
    return index;
  }

  public Writes writes() {
    return writes;
  }

  /** To be called whenever a clock was moved that nobody else watches. */
  public void timePassed() {
    timers.runDue();
  }
}
