package dev.drydock.drain.engine;

import dev.drydock.contracts.NameLists;
import dev.drydock.drain.engine.decide.Action;
import dev.drydock.drain.engine.decide.BudgetRef;
import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.engine.decide.PodFacts;
import dev.drydock.drain.engine.decide.PodRef;
import dev.drydock.drain.hold.DrainConditions;
import dev.drydock.drain.hold.DrainEvents;
import dev.drydock.drain.hold.DrainNodeObject;
import dev.drydock.drain.hold.NodeHolds;
import dev.drydock.drain.hold.decide.DrainState;
import dev.drydock.kube.Latest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Writes conditions and Events about a run, and reports pods that are gone. The writes are made in
 * order and outside the run's loop; only the end of the run waits for them.
 */
final class DrainRunReporter {
  private final EngineContext context;
  private final DrainTask task;
  private final DrainListener listener;
  private final Map<String, PodRef> going = new HashMap<>();
  private boolean begun;
  private volatile boolean writing;
  private final Latest<DrainNodeObject> latest = new Latest<>();

  DrainRunReporter(EngineContext context, DrainTask task, DrainListener listener) {
    this.context = context;
    this.task = task;
    this.listener = listener;
  }

  /**
   * Idempotent.
   *
   * @param done runs after the write
   */
  void begun(DrainNodeObject node, NodeHolds.Changed news, Runnable done) {
    if (begun) {
      return;
    }
    begun = true;
    writing = true;
    context.kube().time().execute(() -> write(node, news, done));
  }

  private void write(DrainNodeObject node, NodeHolds.Changed news, Runnable done) {
    try {
      var _ = context.holds().record(news);
      var _ = latest.wrote(context.conditions().write(node, DrainState.DrydockDraining, whose()));
    } finally {
      writing = false;
      done.run();
    }
  }

  /** Whether something is being written, so that the last word has to wait. */
  boolean isWriting() {
    return writing;
  }

  private String whose() {
    return DrainConditions.whose(task.holder(), task.reason());
  }

  /** Pods that had to leave and no longer exist. */
  void pods(List<PodFacts> pods, Set<String> mustGo) {
    Set<String> present = new HashSet<>();
    for (PodFacts pod : pods) {
      present.add(pod.uid());
      if (mustGo.contains(pod.uid())) {
        going.put(pod.uid(), pod.ref());
      }
    }
    List<PodRef> gone = new ArrayList<>();
    going
        .entrySet()
        .removeIf(entry -> !present.contains(entry.getKey()) && gone.add(entry.getValue()));
    gone.forEach(listener::gone);
  }

  /** What a policy allows only past its time is recorded where people look. */
  void escalated(DrainNodeObject node, Action action) {
    switch (action) {
      case Action.Evict eviction -> {}
      case Action.Delete(PodRef pod, var grace, var why, List<BudgetRef> bypassed) -> {
        if (!bypassed.isEmpty()) {
          context
              .events()
              .record(
                  node,
                  DrainEvents.Reason.BudgetBypassed,
                  "pod %s deleted past budget %s: %s".formatted(pod, names(bypassed), why));
        }
      }
      case Action.ForceDelete(PodRef pod, var why, List<BudgetRef> bypassed) ->
          context
              .events()
              .record(
                  node,
                  DrainEvents.Reason.PodForceDeleted,
                  "pod %s deleted without grace: %s".formatted(pod, why));
      case Action.TaintOutOfService taint ->
          context
              .events()
              .record(
                  node,
                  DrainEvents.Reason.TaintedOutOfService,
                  "tainted out-of-service because its kubelet does not respond and the policy allows it");
    }
  }

  private static String names(List<BudgetRef> budgets) {
    return NameLists.some(budgets);
  }

  /** The final condition, if the node still exists; called when no write is in progress. */
  void ended(Optional<DrainNodeObject> node, DrainOutcome.End end) {
    DrainState state =
        switch (end) {
          case DONE -> DrainState.DrydockDrained;
          case REFUSED -> DrainState.DrydockDrainRefused;
          case FAILED -> DrainState.DrydockDrainFailed;
          case CANCELLED -> DrainState.DrydockDrainCancelled;
        };
    // The watch may still show the node as it was before the drain wrote its first condition.
    node.map(latest::of).ifPresent(newest -> context.conditions().write(newest, state, whose()));
  }
}
