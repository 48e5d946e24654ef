package dev.drydock.edge.decide;

import java.time.Duration;

/** Whether an operation may go, given the state of the drain. */
public enum OperationGate {
  /** Do it now. */
  GO,
  /** Ask for a drain, and do it when that is complete. */
  REQUEST,
  /** A drain is under way: do it when that is complete. */
  DEFER,
  /** The drain failed, and the operation that it was for waits for a person. */
  KEEP,
  /** Nobody has published a state yet. */
  WAIT;

  /**
   * Decides for an operation that somebody asks for now.
   *
   * @param unknownFor how long the state has been unknown
   * @param patience how long to wait while the state is unknown: early in the boot nobody publishes
   *     one
   */
  public static OperationGate asked(NodeDrainState state, Duration unknownFor, Duration patience) {
    return switch (state) {
      case UNKNOWN -> unknownFor.compareTo(patience) < 0 ? WAIT : GO;
      case NOTSUPPORTED, COMPLETE -> GO;
      case NOTREQUESTED, FAILEDCORDON, FAILEDDRAIN -> REQUEST;
      case REQUESTED, STARTING, CORDONED, DRAINRETRYING -> DEFER;
    };
  }

  /**
   * Decides for an operation that was deferred: a failed drain is not asked for again by itself.
   */
  public static OperationGate deferred(
      NodeDrainState state, Duration unknownFor, Duration patience) {
    return state.isFailed() ? KEEP : asked(state, unknownFor, patience);
  }

  /**
   * Decides for an operation whose drain failed. Nothing happens to it until a person asks again,
   * forces it or switches drains off, or another operation of the same requester is drained for. A
   * drain for somebody else is not the one that it waits for.
   *
   * @param addressed whether the drain is for its requester
   */
  public static OperationGate kept(NodeDrainState state, boolean addressed) {
    boolean free =
        state == NodeDrainState.NOTSUPPORTED || (state == NodeDrainState.COMPLETE && addressed);
    return free ? GO : KEEP;
  }
}
