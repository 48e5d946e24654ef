package dev.drydock.edge.decide;

import java.util.Optional;

/** How a node that has left its cluster is taken out of it, step by step. */
public enum LeavingStage {
  CORDON,
  DELETE_APPLICATIONS,
  FIND_REPLICAS,
  DRAIN,
  DELETE_NODE,
  GONE;

  /**
   * The next stage.
   *
   * @param hasReplicas whether the node was found to have replicas, for which alone it is drained
   */
  public LeavingStage next(boolean hasReplicas) {
    return switch (this) {
      case CORDON -> DELETE_APPLICATIONS;
      case DELETE_APPLICATIONS -> FIND_REPLICAS;
      case FIND_REPLICAS -> hasReplicas ? DRAIN : DELETE_NODE;
      case DRAIN -> DELETE_NODE;
      case DELETE_NODE, GONE -> GONE;
    };
  }

  /**
   * The next stage after a failure; empty if this one is tried again. A refusal is reported and
   * changes nothing: in the end the Node is always deleted, because its machine is not coming back
   * to this cluster.
   *
   * @param code the HTTP code; 0 if there was no answer
   * @param retriable whether the same request may succeed later
   */
  public Optional<LeavingStage> afterFailure(int code, boolean retriable) {
    boolean mustSucceed = this == DELETE_NODE && retriable;
    return mustSucceed || ApiReach.isUnreachable(code)
        ? Optional.empty()
        : Optional.of(next(false));
  }
}
