package dev.drydock.drain.engine.decide;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Something to do now, exactly once until it is answered. */
public sealed interface Action {
  /** The UID of the pod it is about, or the name of the node: the key of its {@link Attempt}. */
  String target();

  /** A request about one pod, to be sent with its UID as precondition. */
  sealed interface OnPod extends Action {
    PodRef pod();

    @Override
    default String target() {
      return pod().uid();
    }
  }

  /** Why a pod is deleted rather than evicted. */
  enum Why {
    /** The policy asks for plain deletion. */
    EVICTION_DISABLED,
    /** Its rule's time is over. */
    DELETE_AFTER,
    /** The time after which refused pods are forced is over. */
    FORCE_AFTER,
    /** The drain's deadline has passed. */
    DEADLINE,
    /** Its node has been silent for too long. */
    NODE_UNREACHABLE
  }

  /**
   * Asks the eviction API, which keeps budgets.
   *
   * @param grace replaces the pod's own
   * @param budget the budget that is asked, and how it looked when this was decided
   * @param probe the budget shows no room: this only makes sure that no change of it was missed
   */
  record Evict(PodRef pod, Optional<Duration> grace, Optional<BudgetSeen> budget, boolean probe)
      implements OnPod {}

  /** Budgets that are passed over are named, to be recorded where people look. */
  record Delete(PodRef pod, Optional<Duration> grace, Why why, List<BudgetRef> bypassed)
      implements OnPod {}

  /** Deletion without grace: the object goes, the processes may not. */
  record ForceDelete(PodRef pod, Why why, List<BudgetRef> bypassed) implements OnPod {}

  /** Tells Kubernetes that the node is really down, so pods are removed and volumes detached. */
  record TaintOutOfService(String node) implements Action {
    @Override
    public String target() {
      return node;
    }
  }

  /** A budget in one of its versions. */
  record BudgetSeen(BudgetRef budget, String version) {
    static BudgetSeen of(BudgetFacts facts) {
      return new BudgetSeen(facts.ref(), facts.version());
    }
  }
}
