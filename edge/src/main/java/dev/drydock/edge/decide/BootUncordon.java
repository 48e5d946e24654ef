package dev.drydock.edge.decide;

import java.util.Optional;

/** What is done after a boot about the cordon that an operation has left. */
public enum BootUncordon {
  /** The node is not ready yet. */
  LOOK_AGAIN,
  /** The hold of an earlier boot has done its work. */
  RELEASE,
  /** A tie-breaker is back, and stays cordoned: others must not wait for it. */
  KEEP_CORDONED,
  DONE;

  /**
   * Decides. Cordons of others stay, and so does ours while a drain of this boot needs it.
   *
   * @param self this node, if it exists
   * @param held whether our hold is on the node
   * @param needed whether a drain of this boot needs the hold
   * @param tieBreaker whether the node is kept out of service for good, by its label or by the
   *     controller's word
   */
  public static BootUncordon decide(
      Optional<PeerNode> self, boolean held, boolean needed, boolean tieBreaker) {
    if (needed) {
      return DONE;
    }
    if (self.isEmpty() || !self.get().ready()) {
      return LOOK_AGAIN;
    }
    if (!held) {
      return DONE;
    }
    return tieBreaker ? KEEP_CORDONED : RELEASE;
  }
}
