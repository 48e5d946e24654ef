package dev.drydock.drain.hold.decide;

import java.time.Instant;
import java.util.Optional;

/**
 * The node being drained.
 *
 * @param unreachableSince since when its kubelet has not responded, if it is unreachable
 * @param outOfService it already has the taint {@code node.kubernetes.io/out-of-service}
 */
public record NodeFacts(
    String name,
    boolean exists,
    boolean unschedulable,
    Optional<Instant> unreachableSince,
    boolean outOfService) {

  /** A healthy node, cordoned for its drain. */
  public static NodeFacts cordoned(String name) {
    return new NodeFacts(name, true, true, Optional.empty(), false);
  }

  public static NodeFacts gone(String name) {
    return new NodeFacts(name, false, false, Optional.empty(), false);
  }

  public NodeFacts schedulable() {
    return new NodeFacts(name, exists, false, unreachableSince, outOfService);
  }

  public NodeFacts unreachable(Instant since) {
    return new NodeFacts(name, exists, unschedulable, Optional.of(since), outOfService);
  }

  public NodeFacts taintedOutOfService() {
    return new NodeFacts(name, exists, unschedulable, unreachableSince, true);
  }
}
