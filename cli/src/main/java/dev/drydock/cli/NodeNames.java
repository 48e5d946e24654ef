package dev.drydock.cli;

/** Names of nodes. */
public final class NodeNames extends ClusterNames {
  public NodeNames() {
    super("", "v1", "nodes");
  }
}
