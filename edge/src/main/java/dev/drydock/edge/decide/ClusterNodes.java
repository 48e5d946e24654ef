package dev.drydock.edge.decide;

import dev.drydock.contracts.NameLists;
import java.util.List;
import java.util.Optional;

/**
 * The nodes of the cluster as seen from one of them.
 *
 * @param own the name of this node
 */
public record ClusterNodes(String own, List<PeerNode> nodes) {
  public ClusterNodes {
    nodes = List.copyOf(nodes);
  }

  public Optional<PeerNode> self() {
    return nodes.stream().filter(node -> node.name().equals(own)).findFirst();
  }

  private List<PeerNode> others() {
    return nodes.stream().filter(node -> !node.name().equals(own)).toList();
  }

  /** Whether pods of this node could run elsewhere. */
  public boolean hasSchedulablePeer() {
    return others().stream().anyMatch(PeerNode::schedulable);
  }

  /**
   * Why this node may not leave now: another one is on its way out or not back yet, or too few
   * members of etcd would be left. Empty if it may.
   */
  public Optional<String> turnWaitsFor() {
    List<String> out = others().stream().filter(PeerNode::edgeHold).map(PeerNode::name).toList();
    return out.isEmpty()
        ? quorumWaitsFor()
        : Optional.of(
            "waits until %s is back: nodes go one at a time".formatted(NameLists.some(out)));
  }

  /**
   * Why etcd would lose its quorum without this node. One or two members have none to lose: then
   * any restart interrupts the API server, and waiting would not help.
   */
  public Optional<String> quorumWaitsFor() {
    long members = nodes.stream().filter(PeerNode::member).count();
    if (members < 3 || self().filter(PeerNode::member).isEmpty()) {
      return Optional.empty();
    }
    long majority = members / 2 + 1;
    long left = others().stream().filter(PeerNode::member).filter(PeerNode::ready).count();
    return left >= majority
        ? Optional.empty()
        : Optional.of(
            "waits for etcd: without this node %d of %d members are ready, and %d are needed"
                .formatted(left, members, majority));
  }
}
