package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.hold.DrainConditions;
import dev.drydock.drain.hold.DrainEvents;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.NodeIndex;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import dev.drydock.kube.Resource;
import dev.drydock.kube.Source;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What all runs of an engine share. */
final class EngineContext implements AutoCloseable {
  private final Kube kube;
  private final NodeHolds holds;
  private final DrainEvents events;
  private final DrainConditions conditions;
  private final PodEvictions evictions;
  private final BudgetWatches budgets;
  private final OwnerLookups owners;
  private final BudgetLocks budgetLocks = new BudgetLocks();
  private final Set<DrainRun> runs = ConcurrentHashMap.newKeySet();
  private volatile Optional<String> andon = Optional.empty();
  private volatile Optional<NodeWatches.Shared> sharedWatches = Optional.empty();
  private @Nullable NodeIndex<DrainNodeObject> everyNode;

  EngineContext(Kube kube, DrainEngine.Options options) {
    this.kube = kube;
    holds = new NodeHolds(kube);
    events = new DrainEvents(kube.events());
    conditions = new DrainConditions(kube);
    evictions =
        new PodEvictions(
            kube.http(), new AdaptiveConcurrency(options.ceiling(), kube.time()), options);
    budgets = new BudgetWatches(kube);
    owners = new OwnerLookups(kube.http(), kube.time());
  }

  Kube kube() {
    return kube;
  }

  KubeHttp http() {
    return kube.http();
  }

  Clock clock() {
    return kube.clock();
  }

  NodeHolds holds() {
    return holds;
  }

  DrainEvents events() {
    return events;
  }

  DrainConditions conditions() {
    return conditions;
  }

  PodEvictions evictions() {
    return evictions;
  }

  BudgetWatches budgets() {
    return budgets;
  }

  /** The pods of a node as they are now. */
  List<PodFacts> pods(String node) {
    return http().readAll("pods of node " + node, Source.podsOn(node), PodReader::read);
  }

  OwnerLookups owners() {
    return owners;
  }

  BudgetLocks budgetLocks() {
    return budgetLocks;
  }

  Optional<String> andon() {
    return andon;
  }

  void andon(Optional<String> reason) {
    andon = reason;
    runs.forEach(DrainRun::cordChanged);
  }

  void share(Optional<NodeWatches.Shared> watches) {
    sharedWatches = watches;
  }

  /** Watches of a drain's own, unless there are some already that show its node. */
  NodeWatches watches(String node, Runnable wake) {
    return sharedWatches
        .flatMap(watches -> watches.join(node, wake))
        .orElseGet(
            () ->
                isEveryNodeWatched()
                    ? NodeWatches.among(everyNode(), kube, node, wake)
                    : NodeWatches.alone(kube, node, wake));
  }

  private synchronized boolean isEveryNodeWatched() {
    return everyNode != null || kube.watches().isWatched(Resource.NODES.all());
  }

  /** All Nodes of the cluster, from the first time they are asked for. */
  synchronized NodeIndex<DrainNodeObject> everyNode() {
    if (everyNode == null) {
      everyNode = NodeIndex.ofEveryNode(kube);
    }
    return everyNode;
  }

  void begun(DrainRun run) {
    runs.add(run);
  }

  void ended(DrainRun run) {
    runs.remove(run);
  }

  /** Ends all runs where they are, without a further request. */
  @Override
  public void close() {
    evictions.close();
    runs.forEach(DrainRun::kill);
    synchronized (this) {
      if (everyNode != null) {
        everyNode.close();
      }
    }
  }
}
