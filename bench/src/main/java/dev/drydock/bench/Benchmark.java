package dev.drydock.bench;

import java.util.List;
import java.util.OptionalDouble;

/** One thing to measure, for every contestant under the same conditions. */
interface Benchmark {
  String name();

  /** In words, for people. */
  String title();

  /** Of the value: such as {@code s} or {@code MiB}. */
  String unit();

  /** How many nodes to drain there must be. */
  int nodes();

  List<Goal> goals();

  /** Sets everything up, has the contestant drain, and leaves the nodes as they were before. */
  Trial run(BenchCluster cluster, BenchNodes nodes, Contestant who, int round);

  /**
   * The value of an ideal client, one that is always there and knows at once what it may do: the
   * floor that the cluster itself sets. Run first, it also warms the cluster for the peers.
   */
  default OptionalDouble floor(BenchCluster cluster, BenchNodes nodes) {
    return OptionalDouble.empty();
  }

  /** Whether kubectl can play both parts. */
  default boolean selfChecks() {
    return true;
  }

  /** Whether the requests are those of a drain that came to its end. */
  default boolean completesDrains() {
    return true;
  }
}
