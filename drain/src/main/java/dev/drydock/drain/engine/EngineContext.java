package dev.drydock.drain.engine;

import dev.drydock.drain.hold.AllNodes;
import dev.drydock.drain.hold.DrainApiPaths;
import dev.drydock.drain.hold.DrainConditions;
import dev.drydock.drain.hold.DrainEvents;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.kube.Kube;
import dev.drydock.kube.KubeHttp;
import java.time.Clock;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What all runs of an engine share. */
public final class EngineContext implements AutoCloseable {
  private final Kube kube;
  private final NodeHolds holds;
  private final DrainEvents events;
  private final DrainConditions conditions;
  private final PodActions actions;
  private final BudgetWatches budgets;
  private final OwnerLookups owners;
  private final BudgetLocks budgetLocks = new BudgetLocks();
  private final Set<DrainRun> runs = ConcurrentHashMap.newKeySet();
  private volatile Optional<String> andon = Optional.empty();
  private volatile Optional<SharedNodeWatches> sharedWatches = Optional.empty();
  private @Nullable AllNodes allNodes;

  public EngineContext(Kube kube, DrainEngine.Options options) {
    this.kube = kube;
    holds = new NodeHolds(kube);
    events = new DrainEvents(kube.events());
    conditions = new DrainConditions(kube.http(), kube.clock());
    actions =
        new PodActions(
            kube.http(), new AdaptiveConcurrency(options.ceiling(), kube.time()), options);
    budgets = new BudgetWatches(kube);
    owners = new OwnerLookups(kube.http(), kube.time());
  }

  public Kube kube() {
    return kube;
  }

  public KubeHttp http() {
    return kube.http();
  }

  public Clock clock() {
    return kube.clock();
  }

  public NodeHolds holds() {
    return holds;
  }

  public DrainEvents events() {
    return events;
  }

  public DrainConditions conditions() {
    return conditions;
  }

  public PodActions actions() {
    return actions;
  }

  public BudgetWatches budgets() {
    return budgets;
  }

  public OwnerLookups owners() {
    return owners;
  }

  public BudgetLocks budgetLocks() {
    return budgetLocks;
  }

  public Optional<String> andon() {
    return andon;
  }

  public void andon(Optional<String> reason) {
    andon = reason;
    runs.forEach(DrainRun::wake);
  }

  public void share(Optional<SharedNodeWatches> watches) {
    sharedWatches = watches;
  }

  /** Watches of a drain's own, unless there are some already that show its node. */
  public NodeWatches watches(String node, Runnable wake) {
    return sharedWatches
        .flatMap(watches -> watches.of(node, wake))
        .orElseGet(
            () ->
                isEveryNodeWatched()
                    ? new NodeWatches.Alone(kube, node, everyNode().of(node, wake), wake)
                    : NodeWatches.alone(kube, node, wake));
  }

  private synchronized boolean isEveryNodeWatched() {
    return allNodes != null || kube.watches().isWatched(DrainApiPaths.ALL_NODES);
  }

  /** All Nodes of the cluster, from the first time they are asked for. */
  public synchronized AllNodes everyNode() {
    if (allNodes == null) {
      allNodes = new AllNodes(kube);
    }
    return allNodes;
  }

  public void begun(DrainRun run) {
    runs.add(run);
  }

  public void ended(DrainRun run) {
    runs.remove(run);
  }

  /** Ends all runs where they are, without a further request. */
  @Override
  public void close() {
    actions.close();
    runs.forEach(DrainRun::kill);
    synchronized (this) {
      if (allNodes != null) {
        allNodes.close();
      }
    }
  }
}
