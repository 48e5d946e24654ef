package dev.drydock.edge.decide;

/** Whether device operations have to wait, as NodeAgentStatus says. */
public final class WaitDrain {
  private WaitDrain() {}

  /**
   * Follows the states that are addressed to device operations. A failed drain keeps them waiting,
   * on purpose; states of others change nothing.
   *
   * @param before what was said last
   * @param addressed whether the state is for device operations
   * @param disabled whether a person has switched drains off
   */
  public static boolean next(
      boolean before, NodeDrainState state, boolean addressed, boolean disabled) {
    if (disabled) {
      return false;
    }
    if (!addressed) {
      return before;
    }
    return state != NodeDrainState.COMPLETE && (before || state.isActive() || state.isFailed());
  }
}
