package dev.drydock.bench.rollout;

import java.time.Duration;
import java.util.Random;

/**
 * A fleet and how its driver is rolled out.
 *
 * @param maxUnavailable nodes out of service at once, a number or a percentage
 */
public record RolloutScenario(int nodes, String maxUnavailable, long seed) {
  private static final Duration SHORTEST = Duration.ofMinutes(2);
  private static final Duration SPREAD = Duration.ofMinutes(4);
  private static final Duration PER_NODE = Duration.ofMinutes(15);

  /** How long the install of a driver takes on a node: the same in every run with this seed. */
  Duration install(String node) {
    double share = new Random(seed * 31 + node.hashCode()).nextDouble();
    return SHORTEST.plusSeconds((long) (share * SPREAD.toSeconds()));
  }

  /** Longer than any roll-out takes that works. */
  Duration limit() {
    return PER_NODE.multipliedBy(nodes + 1L);
  }
}
