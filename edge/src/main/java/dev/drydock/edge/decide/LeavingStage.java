package dev.drydock.edge.decide;

/** How a node that has left its cluster is taken out of it, step by step. */
public enum LeavingStage {
  CORDON,
  DELETE_APPLICATIONS,
  FIND_REPLICAS,
  DRAIN,
  DELETE_NODE,
  GONE;

  /**
   * The next stage. Failures are reported and change nothing: in the end the Node is always
   * deleted, because its machine is not coming back to this cluster.
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
}
