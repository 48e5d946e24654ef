package dev.drydock.drain.hold.decide;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The node being drained.
 *
 * @param unreachableSince since when its kubelet has not responded, if it is unreachable
 * @param outOfService it already has the taint {@code node.kubernetes.io/out-of-service}
 * @param works the Jobs that work on it for those who hold it
 * @param uid if it is known
 */
public record NodeFacts(
    String name,
    boolean exists,
    boolean unschedulable,
    Optional<Instant> unreachableSince,
    boolean outOfService,
    List<NodeWork> works,
    Optional<String> uid) {

  public NodeFacts {
    works = List.copyOf(works);
  }

  /** Without work on it. */
  public NodeFacts(
      String name,
      boolean exists,
      boolean unschedulable,
      Optional<Instant> unreachableSince,
      boolean outOfService) {
    this(name, exists, unschedulable, unreachableSince, outOfService, List.of(), Optional.empty());
  }

  /** A healthy node, cordoned for its drain. */
  public static NodeFacts cordoned(String name) {
    return new NodeFacts(name, true, true, Optional.empty(), false);
  }

  public static NodeFacts gone(String name) {
    return new NodeFacts(name, false, false, Optional.empty(), false);
  }

  public NodeFacts schedulable() {
    return new NodeFacts(name, exists, false, unreachableSince, outOfService, works, uid);
  }

  public NodeFacts unreachable(Instant since) {
    return new NodeFacts(name, exists, unschedulable, Optional.of(since), outOfService, works, uid);
  }

  public NodeFacts worked(List<NodeWork> now) {
    return new NodeFacts(name, exists, unschedulable, unreachableSince, outOfService, now, uid);
  }

  public NodeFacts identified(String known) {
    return new NodeFacts(
        name, exists, unschedulable, unreachableSince, outOfService, works, Optional.of(known));
  }
}
