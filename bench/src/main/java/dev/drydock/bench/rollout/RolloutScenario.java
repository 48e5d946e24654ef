package dev.drydock.bench.rollout;

import java.time.Duration;

/**
 * A fleet and how its driver is rolled out.
 *
 * @param maxUnavailable nodes out of service at once, a number or a percentage
 */
public record RolloutScenario(int nodes, String maxUnavailable, long seed) {
  private static final Duration SHORTEST = Duration.ofMinutes(2);
  private static final Duration SPREAD = Duration.ofMinutes(4);
  private static final double GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;
  private static final Duration PER_NODE = Duration.ofMinutes(15);

  /**
   * How long the install of a driver takes on a node: the same in every run with this seed. Nodes
   * that follow each other differ by the golden ratio, so that fleets of any size have the same
   * average and can be compared. (Random numbers by the hash of a name do not: those of similar
   * names are similar.)
   */
  Duration install(String node) {
    int number = Integer.parseInt(node.substring(node.lastIndexOf('-') + 1));
    double share = (number + seed) * GOLDEN_RATIO % 1;
    return SHORTEST.plusSeconds((long) (share * SPREAD.toSeconds()));
  }

  /** Longer than any roll-out takes that works. */
  Duration limit() {
    return PER_NODE.multipliedBy(nodes + 1L);
  }
}
