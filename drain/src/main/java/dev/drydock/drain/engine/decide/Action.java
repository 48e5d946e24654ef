package dev.drydock.drain.engine.decide;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A request to send now, exactly once until it is answered. */
public sealed interface Action {
  /** The key of its {@link Attempt}: the UID of its pod, or the name of the node. */
  String target();

  /** A request about one pod, sent with its UID as precondition. */
  sealed interface OnPod extends Action {
    PodRef pod();

    @Override
    default String target() {
      return pod().uid();
    }
  }

  /** Why a pod is deleted rather than evicted. */
  enum Why {
    /** The policy says to delete. */
    EVICTION_DISABLED,
    /** Its rule's time has passed. */
    DELETE_AFTER,
    /** The policy's time after which refused pods are deleted has passed. */
    FORCE_AFTER,
    /** Its deletion is overdue for longer than the policy allows. */
    OVERDUE,
    /** The drain's deadline has passed. */
    DEADLINE,
    /** Its node has been unreachable for too long. */
    NODE_UNREACHABLE
  }

  /**
   * An eviction, which respects budgets.
   *
   * @param grace overrides the pod's own
   * @param budget the pod's budget and its version at the decision
   * @param probe the budget allows nothing: this only makes sure that no change was missed
   */
  record Evict(PodRef pod, Optional<Duration> grace, Optional<BudgetSeen> budget, boolean probe)
      implements OnPod {}

  /** Names the bypassed budgets, so that they are recorded in Events. */
  record Delete(PodRef pod, Optional<Duration> grace, Why why, List<BudgetRef> bypassed)
      implements OnPod {}

  /** Deletion without grace period: the object goes, its processes may keep running. */
  record ForceDelete(PodRef pod, Why why, List<BudgetRef> bypassed) implements OnPod {}

  /** Taints the node out-of-service, so that Kubernetes removes its pods and detaches volumes. */
  record TaintOutOfService(String node) implements Action {
    @Override
    public String target() {
      return node;
    }
  }

  /** A budget at one of its versions. */
  record BudgetSeen(BudgetRef budget, String version) {
    static BudgetSeen of(BudgetFacts facts) {
      return new BudgetSeen(facts.ref(), facts.version());
    }
  }
}
