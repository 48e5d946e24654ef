package dev.drydock.drain.hold;

import dev.drydock.drain.hold.decide.Holds;
import dev.drydock.kube.ExpectedFailure;

/** The holds annotation of a node cannot be parsed or has no room. It is not overwritten. */
public final class HoldsUnreadable extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  private HoldsUnreadable(String line) {
    super(line);
  }

  /** There is no room for another hold. */
  static HoldsUnreadable full(String node) {
    return new HoldsUnreadable(
        "node %s has %d holds already, and no more are allowed; 'drydock holds %s' lists them"
            .formatted(node, Holds.MOST, node));
  }

  public HoldsUnreadable(String node, String problem) {
    this(
        "node %s: annotation %s is not readable (%s); fix it with 'kubectl edit node %s', or remove it with 'kubectl annotate node %s %s-'"
            .formatted(node, HoldsAnnotation.NAME, problem, node, node, HoldsAnnotation.NAME));
  }
}
