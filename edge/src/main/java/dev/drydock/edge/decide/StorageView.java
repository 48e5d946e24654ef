package dev.drydock.edge.decide;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The replicas of the cluster's volumes, if they could be read.
 *
 * @param unreadable why not
 * @param orphanEngines engines on this node whose volume is attached elsewhere, or to nothing
 */
public record StorageView(
    List<VolumeReplica> replicas, List<String> orphanEngines, Optional<String> unreadable) {
  /** A cluster without replicated storage. */
  public static final StorageView NONE = new StorageView(List.of(), List.of(), Optional.empty());

  public StorageView {
    replicas = List.copyOf(replicas);
    orphanEngines = List.copyOf(orphanEngines);
  }

  public static StorageView unreadable(String why) {
    return new StorageView(List.of(), List.of(), Optional.of(why));
  }

  /**
   * As the nodes of the cluster allow: what Longhorn says about a node that is gone or silent is
   * old, so other nodes' replicas count only while their node is ready.
   */
  public StorageView on(ClusterNodes nodes) {
    Set<String> ready = new HashSet<>();
    nodes.nodes().stream().filter(PeerNode::ready).map(PeerNode::name).forEach(ready::add);
    ready.add(nodes.own());
    return new StorageView(
        replicas.stream()
            .map(replica -> ready.contains(replica.node()) ? replica : replica.unhealthy())
            .toList(),
        orphanEngines,
        unreadable);
  }

  public boolean hasReplicasOn(String node) {
    return replicas.stream().anyMatch(replica -> replica.node().equals(node));
  }

  /** Volumes whose last healthy replica is on this node. */
  public List<VolumeReplica> lastReplicasOn(String node) {
    return replicas.stream()
        .filter(replica -> replica.node().equals(node) && replica.healthy())
        .filter(replica -> !hasHealthyElsewhere(replica.volume(), node))
        .toList();
  }

  private boolean hasHealthyElsewhere(String volume, String node) {
    return replicas.stream()
        .anyMatch(
            other ->
                other.volume().equals(volume) && other.healthy() && !other.node().equals(node));
  }

  /** Why data could be lost if this node went away; empty if every volume is safe elsewhere. */
  public Optional<String> keeps(String node) {
    if (unreadable.isPresent()) {
      return Optional.of(
          "the replicas could not be read, so nothing is assumed: " + unreadable.get());
    }
    List<VolumeReplica> last = lastReplicasOn(node);
    return last.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "the last healthy replica of volume %s is here".formatted(last.getFirst().volume())
                + (last.size() > 1 ? ", and of %d more".formatted(last.size() - 1) : ""));
  }

  /** Lines for people about what storage does to the drain of this node. */
  public List<String> explain(
      String node, List<String> blockedInstanceManagers, RebuildEstimate estimate) {
    if (unreadable.isPresent()) {
      return List.of(
          "replicas could not be read: %s; next: nothing is assumed, the node is not drained"
              .formatted(unreadable.get()));
    }
    List<String> lines = new ArrayList<>();
    for (VolumeReplica last : lastReplicasOn(node)) {
      lines.add(lastReplica(last, estimate));
    }
    if (lines.isEmpty()) {
      for (String blocked : blockedInstanceManagers) {
        lines.add(orphan(blocked));
      }
    }
    return lines;
  }

  private String lastReplica(VolumeReplica last, RebuildEstimate estimate) {
    Set<String> rebuilt = new LinkedHashSet<>();
    for (VolumeReplica other : replicas) {
      if (other.volume().equals(last.volume()) && other.isRebuilding()) {
        rebuilt.add(
            "%s on %s is rebuilt: %d%%%s"
                .formatted(
                    other.name(), other.node(), other.progress(), estimate.text(other.name())));
      }
    }
    return "volume %s: replica %s here is the last healthy one; %s; next: wait"
        .formatted(
            last.volume(),
            last.name(),
            rebuilt.isEmpty() ? "no other is being rebuilt yet" : String.join(", ", rebuilt));
  }

  private String orphan(String blocked) {
    return "%s blocks, although every volume with a replica here has a healthy one elsewhere; %s; next: %s"
        .formatted(
            blocked,
            orphanEngines.isEmpty()
                ? "no engine without a volume was found here"
                : "engines without a volume here: " + String.join(", ", orphanEngines),
            "detach or delete them, or set storage.longhorn.node-drain-policy");
  }
}
