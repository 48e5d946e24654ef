package dev.drydock.drain.engine;

import dev.drydock.drain.engine.decide.BudgetFacts;
import dev.drydock.drain.engine.decide.BudgetRef;
import dev.drydock.drain.engine.decide.DaemonSetLookup;
import dev.drydock.drain.engine.decide.DrainOutcome.End;
import dev.drydock.drain.engine.decide.Observation;
import dev.drydock.drain.engine.decide.Owner;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.engine.decide.PodProof;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.HoldsUnreadable;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.Hold;
import dev.drydock.drain.hold.decide.HoldClaim;
import dev.drydock.drain.hold.decide.HoldClaim.Failure;
import dev.drydock.drain.hold.decide.HoldClaim.State;
import dev.drydock.drain.hold.decide.HoldLoss;
import dev.drydock.drain.hold.decide.NodeFacts;
import dev.drydock.kube.ApiFailure;
import dev.drydock.kube.ControlLoop;
import dev.drydock.kube.ResourceVersion;
import dev.drydock.kube.TryAgain;
import dev.drydock.kube.Watch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * All that one run sees: its hold, its node, the node's pods, their budgets and owners. Opened once
 * and closed once; {@link #look} is for the run's steps only.
 */
final class NodeObserver implements AutoCloseable {
  private final DrainTask task;
  private final EngineContext context;
  private final DrainRun run;
  private final NodeWatches watches;
  private final ControlLoop placing;
  private final PodStopTimes podStopTimes = new PodStopTimes();
  private final PodsSinceHold podsSinceHold;
  private volatile HoldClaim claim;

  /** The hold that was placed last. */
  private volatile Optional<NodeHolds.Changed> placed = Optional.empty();

  private boolean lookupsPending;

  /** Why the drain cannot continue. */
  record Lost(End end, String message) {}

  /** The observation of one moment, and the budgets that matter for it. */
  record Snapshot(Observation observation, Set<BudgetRef> guards) {}

  NodeObserver(DrainTask task, EngineContext context, DrainRun run) {
    this.task = task;
    this.context = context;
    this.run = run;
    claim = HoldClaim.begin(task.claimant());
    watches = context.watches(task.node(), this::changed);
    podsSinceHold = new PodsSinceHold(context.http(), task.node());
    placing = context.kube().loop("drain-hold", task.node(), this::place);
  }

  void open() {
    watches.open();
    placing.wake();
  }

  /** While the node cannot be held, nothing that happens on it matters. */
  private void changed() {
    if (claim.notHeld().isEmpty()) {
      run.wake();
    }
  }

  /** The andon cord was pulled or released. */
  void cordChanged() {
    placing.wake();
  }

  /** Beside the run's own steps, so that pods and budgets are listed meanwhile. */
  private Instant place() {
    if (!claim.isDue()) {
      try {
        podsSinceHold.look(watches::pods);
      } finally {
        run.wake();
      }
      return Instant.MAX;
    }
    if (claim.state() instanceof State.Waiting && isKnownToHaveNoRoom()) {
      return lookAgain();
    }
    try {
      attempt();
    } catch (ApiFailure failure) {
      boolean passes = failure.isRetriable();
      become(claim.failed(passes ? Failure.PASSING : Failure.FINAL, failure.getMessage()));
      if (passes) {
        throw failure;
      }
    } catch (HoldsUnreadable unusable) {
      become(claim.failed(Failure.UNUSABLE, unusable.getMessage()));
    } catch (IllegalArgumentException unusable) {
      become(claim.failed(Failure.FINAL, String.valueOf(unusable.getMessage())));
    }
    return claim.state() instanceof State.Waiting ? lookAgain() : Instant.MAX;
  }

  private void attempt() {
    Optional<String> cord = context.andon();
    Instant now = context.clock().instant();
    AtomicReference<Optional<State>> instead = new AtomicReference<>(Optional.empty());
    NodeHolds.Changed changed =
        context
            .holds()
            .change(
                task.node(),
                holds -> {
                  HoldClaim.Attempt attempt = claim.attempt(holds, cord, now);
                  instead.set(attempt.instead());
                  return attempt.change();
                });
    HoldClaim next = claim.after(instead.get(), changed.node().holds());
    if (next.state() instanceof State.Placed) {
      watches.held(changed.node());
      placed = Optional.of(changed.about(true));
      podsSinceHold.held(watches.podListsBegun());
    }
    become(next);
    switch (next.state()) {
      case State.Pending(String why) -> throw new TryAgain(why);
      // The first hold is recorded with the drain's start, if that lasts.
      case State.Placed _ ->
          context.holds().record(next.heldBefore().isPresent() ? changed : changed.about(false));
      case State.CalledOff _ -> context.holds().record(changed);
      default -> {}
    }
  }

  /** Whether the drain would end, were it known that no pod was bound just before the hold. */
  void wantProof(boolean wanted) {
    if (podsSinceHold.want(wanted)) {
      placing.wake();
    }
  }

  /** The number of the hold now, for {@link #removed}. */
  int hold() {
    return podsSinceHold.hold();
  }

  /** The server accepted to remove a pod, asked while this was the hold. */
  void removed(int hold, PodRef pod) {
    podsSinceHold.existed(hold, pod.uid());
  }

  private void become(HoldClaim next) {
    claim = next;
    run.wake();
  }

  /**
   * By what is watched already, so that any number of drains that wait for the same node cost no
   * requests.
   */
  private boolean isKnownToHaveNoRoom() {
    try {
      return node().filter(seen -> seen.holds().isFull()).isPresent();
    } catch (HoldsUnreadable unreadable) {
      return true;
    }
  }

  private Instant lookAgain() {
    return context.clock().instant().plus(claim.lookAgainIn());
  }

  boolean isOpen() {
    return claim.since().isPresent();
  }

  /** When the drain began, here or in an earlier process. */
  Instant startedAt() {
    return claim.since().orElseGet(() -> context.clock().instant());
  }

  Optional<DrainNodeObject> node() {
    return watches.latest();
  }

  /** Holds that this drain placed and that are not recorded as Events yet. */
  Optional<NodeHolds.Changed> news() {
    return claim.state() instanceof State.Placed ? placed : Optional.empty();
  }

  /** Why the drain is over, because its node cannot be held or is held no longer. */
  Optional<Lost> lost() {
    return switch (claim.state()) {
      case State.Impossible(String why) -> Optional.of(new Lost(End.FAILED, why));
      case State.CalledOff(String why, _) -> Optional.of(new Lost(End.CANCELLED, why));
      default -> Optional.empty();
    };
  }

  /** Follows what others did to the node and its hold since it was placed. */
  void followHold() {
    Optional<DrainNodeObject> node = node();
    if (!(claim.state() instanceof State.Placed)
        || node.isEmpty()
        || watches.node().unsynced().isPresent()) {
      return;
    }
    if (isReplaced(node.get())) {
      claim = claim.replaced();
      placing.wake();
      return;
    }
    try {
      switch (claim.loss(node.get().holds())) {
        case HoldLoss.None() -> {}
        case HoldLoss.HoldAgain loss -> lose(loss.uncordoned(), true, loss.message());
        case HoldLoss.CalledOff loss -> lose(loss.uncordoned(), false, loss.message());
      }
    } catch (HoldsUnreadable unreadable) {
      // Shown as unknown until the annotation is fixed.
    }
  }

  /** What the watch showed before the hold was placed proves nothing. */
  private boolean isReplaced(DrainNodeObject node) {
    DrainNodeObject held = placed.orElseThrow().node();
    return !held.uid().equals(node.uid())
        && ResourceVersion.isNewer(node.version(), held.version());
  }

  private void lose(boolean uncordoned, boolean holdAgain, String message) {
    try {
      if (uncordoned) {
        context.holds().observe(task.node());
      }
      if (holdAgain) {
        Hold hold = claim.claimant().hold(startedAt());
        NodeHolds.Changed again = context.holds().claim(task.node(), hold);
        if (!again.notices().isEmpty()) {
          podsSinceHold.held(watches.podListsBegun());
        }
        var _ = context.holds().record(again);
      } else {
        claim = claim.calledOff(message);
      }
    } catch (ApiFailure | HoldsUnreadable later) {
      // The drain has ended anyway; the next write to the holds drops them.
      claim = claim.calledOff(message + "; " + later.getMessage());
    }
  }

  Snapshot look() {
    List<String> unknown = new ArrayList<>();
    Map<String, String> unknownPods = new HashMap<>();
    Optional<NodeFacts> facts = nodeFacts(unknown);
    PodProof proof = podsSinceHold.proof();
    Watch.State<PodFacts> podState = watches.pods();
    if (podsSinceHold.isShownBy(podState)) {
      proof = new PodProof.Given();
    }
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
            .proof(proof)
            .withStopTimes(podStopTimes.learn(known, context.clock().instant()));
    Set<BudgetRef> guards =
        known.stream()
            .flatMap(pod -> observation.budgets().guarding(pod).stream())
            .map(BudgetFacts::ref)
            .collect(Collectors.toSet());
    Observation seen = claim.notHeld().map(observation::notHeld).orElse(observation);
    return new Snapshot(context.andon().map(seen::stopped).orElse(seen), guards);
  }

  private Optional<NodeFacts> nodeFacts(List<String> unknown) {
    if (claim.state() instanceof State.Pending(String why)) {
      unknown.add("the hold on node " + task.node() + " (" + why + ")");
      return Optional.empty();
    }
    if (claim.notHeld().isPresent()) {
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

  /** A pod as it was seen last. */
  Optional<PodFacts> pod(PodRef ref) {
    return watches.pods().items().stream().filter(pod -> pod.uid().equals(ref.uid())).findFirst();
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
