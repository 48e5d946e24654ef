package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.drain.engine.decide.BudgetRef;
import dev.drydock.drain.engine.decide.DaemonSetLookup;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.Observation;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.HoldLoss;
import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.drain.hold.decide.NodeFacts;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * All that one run sees: its hold, its node, the node's pods, their budgets and owners. Opened once
 * and closed once; {@link #look} is for the run's steps only.
 */
final class NodeObserver implements AutoCloseable {
  /** A node that cannot be held is looked at again after this to twice this time. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

  private final DrainTask task;
  private final EngineContext context;
  private final DrainRun run;
  private final NodeWatches watches;
  private final ControlLoop placing;
  private final PodStopTimes podStopTimes = new PodStopTimes();
  private volatile Claim claim = new Claim.Pending("not placed yet");
  private boolean lookupsPending;

  /** Whether the node is held for this drain. */
  private sealed interface Claim {
    record Pending(String why) implements Claim {}

    record Placed(Instant since, NodeHolds.Changed news) implements Claim {}

    /** There is no room for it, or the holds cannot be read: until somebody changes the node. */
    record Waiting(String why) implements Claim {}

    record Impossible(String why) implements Claim {}

    record CalledOff(String why) implements Claim {}
  }

  /** Why the drain cannot continue. */
  record Lost(End end, String message) {}

  /** The observation of one moment, and the budgets that matter for it. */
  record Snapshot(Observation observation, Set<BudgetRef> guards) {}

  NodeObserver(DrainTask task, EngineContext context, DrainRun run) {
    this.task = task;
    this.context = context;
    this.run = run;
    watches = context.watches(task.node(), this::changed);
    placing = context.kube().loop("drain-hold", task.node(), this::place);
  }

  void open() {
    watches.open();
    placing.wake();
  }

  /** While the node cannot be held, nothing that happens on it matters. */
  private void changed() {
    if (!(claim instanceof Claim.Waiting)) {
      run.wake();
    }
  }

  /** Beside the run's own steps, so that pods and budgets are listed meanwhile. */
  private Instant place() {
    if (!(claim instanceof Claim.Pending || claim instanceof Claim.Waiting)) {
      return Instant.MAX;
    }
    if (claim instanceof Claim.Waiting && isKnownToHaveNoRoom()) {
      return lookAgain();
    }
    try {
      HoldAttempt attempt = new HoldAttempt(task, context.clock().instant());
      NodeHolds.Changed changed = context.holds().change(task.node(), attempt);
      if (attempt.loss() instanceof HoldLoss.CalledOff loss) {
        claim = new Claim.CalledOff(loss.message());
        run.wake();
        context.holds().record(changed);
        return Instant.MAX;
      }
      Hold hold = changed.node().holds().byHolder().get(task.holder());
      if (hold == null) {
        throw new ApiFailure(0, "the server did not keep the hold");
      }
      watches.held(changed.node());
      claim = new Claim.Placed(hold.since(), changed.about(true));
      run.wake();
      context.holds().record(changed.about(false));
    } catch (ApiFailure failure) {
      if (failure.isRetriable()) {
        claim = new Claim.Pending(failure.getMessage());
        run.wake();
        throw failure;
      }
      claim = new Claim.Impossible(failure.getMessage());
      run.wake();
    } catch (HoldsUnreadable unusable) {
      String why = String.valueOf(unusable.getMessage());
      claim = task.patient() ? new Claim.Waiting(why) : new Claim.Impossible(why);
      run.wake();
      return task.patient() ? lookAgain() : Instant.MAX;
    } catch (IllegalArgumentException unusable) {
      claim = new Claim.Impossible(String.valueOf(unusable.getMessage()));
      run.wake();
    }
    return Instant.MAX;
  }

  /**
   * By what is watched already, so that any number of drains that wait for the same node cost no
   * requests.
   */
  private boolean isKnownToHaveNoRoom() {
    try {
      return node().filter(seen -> seen.holds().byHolder().size() >= Holds.MOST).isPresent();
    } catch (HoldsUnreadable unreadable) {
      return true;
    }
  }

  /** Each at its own time: when there is room for one, not all of them ask for it. */
  private Instant lookAgain() {
    int spread = Math.floorMod(task.holder().hashCode(), (int) LOOK_AGAIN.toMillis());
    return context.clock().instant().plus(LOOK_AGAIN).plusMillis(spread);
  }

  /** Holds the node, unless a person ended the drain while no process ran it. */
  private static final class HoldAttempt implements Function<Holds, Holds.Change> {
    private final DrainTask task;
    private final Instant now;
    private HoldLoss loss = new HoldLoss.None();

    HoldAttempt(DrainTask task, Instant now) {
      this.task = task;
      this.now = now;
    }

    @Override
    public Holds.Change apply(Holds holds) {
      loss = HoldLoss.since(task.earlier(), holds, task.holder(), task.owner());
      return loss instanceof HoldLoss.None ? holds.claim(task.hold(now)) : holds.observe();
    }

    HoldLoss loss() {
      return loss;
    }
  }

  boolean isOpen() {
    return claim instanceof Claim.Placed;
  }

  /** When the drain began, here or in an earlier process. */
  Instant startedAt() {
    return claim instanceof Claim.Placed placed ? placed.since() : context.clock().instant();
  }

  Optional<DrainNodeObject> node() {
    return watches.latest();
  }

  /** Holds that this drain placed and that are not recorded as Events yet. */
  Optional<NodeHolds.Changed> news() {
    return claim instanceof Claim.Placed placed ? Optional.of(placed.news()) : Optional.empty();
  }

  /** Why the drain is over, because its node cannot be held or is held no longer. */
  Optional<Lost> lost() {
    if (claim instanceof Claim.Impossible(String why)) {
      return Optional.of(new Lost(End.FAILED, why));
    }
    if (claim instanceof Claim.CalledOff(String why)) {
      return Optional.of(new Lost(End.CANCELLED, why));
    }
    Optional<DrainNodeObject> node = node();
    if (!isOpen() || node.isEmpty() || watches.node().unsynced().isPresent()) {
      return Optional.empty();
    }
    Holds holds;
    try {
      holds = node.get().holds();
    } catch (HoldsUnreadable unreadable) {
      // Shown as unknown until the annotation is fixed.
      return Optional.empty();
    }
    return switch (HoldLoss.of(holds, task.holder(), task.owner(), task.holdAgain())) {
      case HoldLoss.None() -> Optional.empty();
      case HoldLoss.HoldAgain loss -> lost(loss.uncordoned(), true, loss.message());
      case HoldLoss.CalledOff loss -> lost(loss.uncordoned(), false, loss.message());
    };
  }

  private Optional<Lost> lost(boolean uncordoned, boolean holdAgain, String message) {
    try {
      if (uncordoned) {
        context.holds().observe(task.node());
      }
      if (holdAgain) {
        NodeHolds.Changed again = context.holds().claim(task.node(), task.hold(startedAt()));
        var _ = context.holds().record(again);
        return Optional.empty();
      }
    } catch (ApiFailure | HoldsUnreadable later) {
      // The drain has ended anyway; the next write to the holds drops them.
      return Optional.of(new Lost(End.CANCELLED, message + "; " + later.getMessage()));
    }
    return Optional.of(new Lost(End.CANCELLED, message));
  }

  Snapshot look() {
    List<String> unknown = new ArrayList<>();
    Map<String, String> unknownPods = new HashMap<>();
    Optional<NodeFacts> facts = nodeFacts(unknown);
    Watch.State<PodFacts> podState = watches.pods();
    podState
        .unsynced()
        .ifPresent(why -> unknown.add("the pods of node " + task.node() + " (" + why + ")"));
    podState
        .unreadable()
        .forEach(
            (pod, why) -> unknownPods.put(pod, "pod " + pod + " (it cannot be read: " + why + ")"));
    List<PodFacts> known = withOwners(podState.items(), unknownPods);
    List<BudgetFacts> budgets = budgets(known, unknown);
    Observation observation =
        Observation.of(facts.orElseGet(() -> NodeFacts.gone(task.node())), known, budgets)
            .unknown(unknown)
            .unknownPods(unknownPods)
            .withStopTimes(podStopTimes.learn(known, context.clock().instant()));
    Set<BudgetRef> guards =
        known.stream()
            .flatMap(pod -> observation.budgets().guarding(pod).stream())
            .map(BudgetFacts::ref)
            .collect(Collectors.toSet());
    Observation seen =
        claim instanceof Claim.Waiting(String why) ? observation.notHeld(why) : observation;
    return new Snapshot(context.andon().map(seen::stopped).orElse(seen), guards);
  }

  private Optional<NodeFacts> nodeFacts(List<String> unknown) {
    if (claim instanceof Claim.Pending(String why)) {
      unknown.add("the hold on node " + task.node() + " (" + why + ")");
      return Optional.empty();
    }
    if (claim instanceof Claim.Waiting) {
      return Optional.empty();
    }
    Watch.State<DrainNodeObject> state = watches.node();
    state.unsynced().ifPresent(why -> unknown.add("node " + task.node() + " (" + why + ")"));
    state
        .unreadable()
        .forEach((node, why) -> unknown.add("node " + node + " (it cannot be read: " + why + ")"));
    Optional<DrainNodeObject> node = state.items().stream().findFirst();
    try {
      node.ifPresent(DrainNodeObject::holds);
    } catch (HoldsUnreadable unreadable) {
      unknown.add("the holds: " + unreadable.getMessage());
    }
    return node.map(DrainNodeObject::factsWithWork);
  }

  private List<BudgetFacts> budgets(List<PodFacts> known, List<String> unknown) {
    Set<String> namespaces =
        known.stream().map(pod -> pod.ref().namespace()).collect(Collectors.toSet());
    BudgetWatches.Known budgets = context.budgets().of(namespaces, run);
    unknown.addAll(budgets.unknown());
    return budgets.budgets();
  }

  private List<PodFacts> withOwners(List<PodFacts> seen, Map<String, String> unknown) {
    lookupsPending = false;
    List<PodFacts> complete = new ArrayList<>(seen.size());
    for (PodFacts pod : seen) {
      complete.add(pod.controller().map(owner -> withOwner(pod, owner, unknown)).orElse(pod));
    }
    return complete;
  }

  private PodFacts withOwner(PodFacts pod, Owner owner, Map<String, String> unknown) {
    String namespace = pod.ref().namespace();
    if (OwnerLookups.isDaemonSet(owner)) {
      Optional<DaemonSetLookup> found =
          context.owners().daemonSet(namespace, owner.name(), run::wake);
      if (found.isEmpty()) { // a refusal must not name the wrong reason
        unknown.put(pod.uid(), "the DaemonSet of pod " + pod.ref());
        return pod;
      }
      lookupsPending |= found.get() instanceof DaemonSetLookup.Failed;
      return pod.toBuilder().daemonSet(found.get()).build();
    }
    // Only a pod that came after the drain began can be one that keeps coming back.
    if (pod.finished() || !isOpen() || !pod.mayHaveComeAfter(startedAt())) {
      return pod;
    }
    Optional<Boolean> pins = context.owners().pins(namespace, owner, run::wake);
    if (pins.isEmpty()) {
      lookupsPending = true;
      unknown.put(pod.uid(), "the owner of pod " + pod.ref());
      return pod;
    }
    return pod.toBuilder().pinned(pins.get()).build();
  }

  boolean lookupsPending() {
    return lookupsPending;
  }

  @Override
  public void close() {
    placing.close();
    watches.close();
  }
}
