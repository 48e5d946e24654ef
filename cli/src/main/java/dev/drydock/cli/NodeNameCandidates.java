package dev.drydock.cli;

/** Completes names of Nodes. */
public final class NodeNameCandidates extends ClusterScopedNames {
  public NodeNameCandidates() {
    super("", "v1", "nodes");
  }
}
