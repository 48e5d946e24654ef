package dev.drydock.cli;

/** Names of nodes. */
public final class NodeNameCandidates extends ClusterScopedNames {
  public NodeNameCandidates() {
    super("", "v1", "nodes");
  }
}
