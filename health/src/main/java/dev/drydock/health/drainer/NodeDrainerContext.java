package dev.drydock.health.drainer;

import dev.drydock.drain.engine.DrainEngine;
import dev.drydock.health.consume.LatestObjects;
import dev.drydock.health.consume.NodeFeed;
import dev.drydock.health.consume.PendingEvents;
import dev.drydock.health.customdrain.CustomDrains;
import dev.drydock.health.store.EventStore;
import dev.drydock.kube.Kube;
import dev.drydock.kube.Watch;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * What the loops of all nodes share.
 *
 * @param customDrains if some nodes are drained by others
 * @param dryRun whether decisions are only logged
 * @param waiting nodes with pods that may run until a time
 * @param wake looks at a node again
 */
record NodeDrainerContext(
    Kube kube,
    Supplier<EventStore> stores,
    NodeDrainerConfig config,
    boolean dryRun,
    DrainEngine engine,
    Optional<CustomDrains> customDrains,
    NodeDrainerMetrics metrics,
    NodeDrainEvents events,
    NodeDrainWriter writer,
    PendingEvents pending,
    NodeFeed feed,
    Watch<QuarantinedNode> nodes,
    LatestObjects<QuarantinedNode> latest,
    Set<String> waiting,
    Consumer<String> wake) {
  boolean isKnown() {
    return nodes.isListed();
  }

  /** The node as the watch and our own writes show it. */
  Optional<QuarantinedNode> node(String name) {
    return latest.find(name);
  }
}
