package dev.drydock.drain.hold;

import dev.drydock.kube.ExpectedFailure;

/** The holds annotation of a node cannot be parsed. It is not overwritten. */
public final class HoldsUnreadable extends ExpectedFailure {
  private static final long serialVersionUID = 1L;

  public HoldsUnreadable(String node, String problem) {
    super(
        "node %s: annotation %s is not readable (%s); fix it with 'kubectl edit node %s', or remove it with 'kubectl annotate node %s %s-'"
            .formatted(node, HoldsAnnotation.NAME, problem, node, node, HoldsAnnotation.NAME));
  }
}
