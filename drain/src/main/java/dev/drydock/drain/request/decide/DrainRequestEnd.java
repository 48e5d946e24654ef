package dev.drydock.drain.request.decide;

import dev.drydock.drain.engine.decide.DrainOutcome;
import dev.drydock.drain.request.decide.DrainRequestReport.Reason;
import java.util.Optional;

/** What the end of a drain means to the DrainRequest that asked for it. */
public final class DrainRequestEnd {
  /** What remains of the node after its drain failed. */
  public enum NodeLeft {
    THERE,
    /** The node is gone, its pods are not. */
    ITS_PODS,
    NOTHING
  }

  private DrainRequestEnd() {}

  /** Whether one has to look what is left of the node. */
  public static boolean dependsOnNode(DrainOutcome outcome) {
    return outcome.end() == DrainOutcome.End.FAILED;
  }

  /**
   * Empty if the drain has to be tried again.
   *
   * @param last what was said before
   * @param continued whether an earlier process began the drain, and saw the node
   * @param node counts only if the end depends on it
   */
  public static Optional<DrainRequestReport> report(
      DrainOutcome outcome, DrainRequestReport last, boolean continued, NodeLeft node) {
    return switch (outcome.end()) {
      case DONE -> Optional.of(DrainRequestReport.done(last.gone(), continued));
      case CANCELLED -> Optional.of(last.ended(Reason.DrainCancelled, outcome.message()));
      case REFUSED -> Optional.of(last.ended(Reason.DrainFailed, outcome.message()));
      case FAILED -> failed(outcome, last, continued, node);
    };
  }

  /** A node may be deleted unnoticed; one that never existed is a mistake in the request. */
  private static Optional<DrainRequestReport> failed(
      DrainOutcome outcome, DrainRequestReport last, boolean continued, NodeLeft node) {
    if (node == NodeLeft.THERE) {
      return Optional.of(last.ended(Reason.DrainFailed, outcome.message()));
    }
    if (!continued) {
      return Optional.of(DrainRequestReport.of(Reason.NodeNotFound, outcome.message()));
    }
    return node == NodeLeft.ITS_PODS
        ? Optional.empty()
        : Optional.of(DrainRequestReport.done(last.gone() + last.left().orElse(0), true));
  }
}
