package dev.drydock.edge.decide;

import java.util.Optional;
import java.util.OptionalInt;

/**
 * Whether this node is one of a cluster.
 *
 * @param clustered empty while that is not known
 * @param configured whether EVE's record said so last, rather than the number of nodes
 * @param left whether the node has left its cluster and has to be removed from it
 */
public record ClusterMembership(Optional<Boolean> clustered, boolean configured, boolean left) {
  public static final ClusterMembership UNKNOWN =
      new ClusterMembership(Optional.empty(), false, false);

  /** What the flag says. */
  public enum Wanted {
    AUTO,
    YES,
    NO
  }

  /**
   * What is known now.
   *
   * @param config EVE's record, if there is one
   * @param nodes how many nodes the cluster has, if that was read
   */
  public ClusterMembership next(Wanted wanted, Optional<ClusterConfig> config, OptionalInt nodes) {
    if (wanted != Wanted.AUTO) {
      return new ClusterMembership(Optional.of(wanted == Wanted.YES), false, false);
    }
    if (config.filter(record -> !record.initialized()).isPresent()) {
      return this; // noise
    }
    if (config.isPresent()) {
      boolean valid = config.get().valid();
      boolean leaves = !valid && (left || (configured && clustered.orElse(false)));
      return new ClusterMembership(Optional.of(valid), true, leaves);
    }
    if (configured) {
      return new ClusterMembership(
          Optional.of(false), true, left || clustered.orElse(false)); // the record was removed
    }
    return nodes.isPresent()
        ? new ClusterMembership(Optional.of(nodes.getAsInt() > 1), false, false)
        : this;
  }

  /** The node is removed. */
  public ClusterMembership gone() {
    return new ClusterMembership(clustered, configured, false);
  }
}
