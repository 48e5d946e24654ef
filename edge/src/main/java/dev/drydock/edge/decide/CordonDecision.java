package dev.drydock.edge.decide;

import java.util.Optional;

/** Whether a node may be cordoned for its drain now. */
public final class CordonDecision {
  private CordonDecision() {}

  /**
   * Why it has to wait; empty if it may be cordoned.
   *
   * @param stopped why nothing may start, if the andon cord is pulled
   * @param turns whether nodes go one at a time
   * @param lease why this node does not have the turn; empty if it has had it since before the
   *     nodes were read, because whoever reads earlier does not see who went before
   */
  public static Optional<String> waitsFor(
      Optional<String> stopped, boolean turns, Optional<String> lease, ClusterNodes nodes) {
    boolean held = nodes.self().filter(PeerNode::edgeHold).isPresent();
    return turns && !held ? stopped.or(() -> lease).or(nodes::turnWaitsFor) : stopped;
  }

  /**
   * Why it has to wait although the nodes could not be read; empty if that is a failed try. A stop
   * that was seen is obeyed until it is known to be over; a refusal is a failed try.
   *
   * @param code the HTTP code; 0 if there was no answer
   */
  public static Optional<String> waitsFor(Optional<String> stopped, int code) {
    return stopped.filter(_ -> ApiReach.isUnreachable(code));
  }
}
